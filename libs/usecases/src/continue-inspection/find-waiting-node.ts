import { Refusal, addressKey, bmcAddressesIn, findNode, macsIn, startIsOpen, usableMacs } from '@lib/domain';
import type { JsonObject, Node, PortDocument, Readiness } from '@lib/domain';
import type { Logger, ReadModel } from '@lib/ports';
import type { Commits } from '../node-commits';
import { uuidOfStream } from '../node-streams';

export interface LookupDeps {
  readonly commits: Commits;
  readonly readModel: ReadModel;
  readonly logger: Logger;
}

/** To the ramdisk the same "not found" as ever; `node`: the one that the data is of all the same, if that is sure. */
export class NotWaiting extends Refusal {
  constructor(
    readonly node: string | null,
    /** No node has anything of the machine. */
    readonly isUnknown = false,
  ) {
    super('RESOURCE_NOT_FOUND', 'Resource could not be found.');
  }
}

/** Beyond this many nodes with one BMC address the answer is the same: not for sure. */
const MATCHES_MAX = 1000;

async function ownersOf(macs: readonly string[], readModel: ReadModel): Promise<string[]> {
  if (macs.length === 0) return [];
  const streams = await readModel.owners('port.address', macs);
  const ports = await readModel.get('port', [...new Set([...streams.values()].map(uuidOfStream))]);
  return ports.map(({ json }) => (JSON.parse(json) as PortDocument).node_uuid);
}

async function waitingBy(addresses: readonly string[], readModel: ReadModel): Promise<string[]> {
  if (addresses.length === 0) return [];
  const rows = await readModel.list({
    kind: 'bmc_address',
    where: [{ column: 'address', is: 'in', values: addresses.map(addressKey) }],
    sort: { column: 'seq', descending: false },
    limit: MATCHES_MAX,
  });
  return (rows ?? []).map(({ json }) => (JSON.parse(json) as { node_uuid: string }).node_uuid);
}

function readinessOf(node: Node | null): Readiness {
  if (node?.provisionState === 'inspect wait') return 'yes';
  return node && startIsOpen(node) ? 'soon' : 'no';
}

/**
 * The node whose ramdisk this is, by what the store knows now (contract: inspection.md §6.3). Rejects with one
 * RESOURCE_NOT_FOUND for every reason; the reason goes to the log.
 */
export async function findWaitingNode(
  asked: string | null,
  inventory: JsonObject,
  { commits, readModel, logger }: LookupDeps,
): Promise<string> {
  const macs = usableMacs(macsIn(inventory));
  const bmcAddresses = bmcAddressesIn(inventory);
  const [byMac, byBmc] = await Promise.all([ownersOf(macs, readModel), waitingBy(bmcAddresses, readModel)]);
  const known = [...new Set([...byMac, ...(asked === null ? [] : [asked])])];
  const readiness = new Map<string, Readiness>();
  for (const uuid of known) readiness.set(uuid, readinessOf((await commits.streams.load(uuid, false)).stream.node));
  const found = findNode({ asked, byMac, byBmc }, (uuid) => readiness.get(uuid) ?? 'no');
  if (found.node !== null) return found.node;
  logger.warn({ reason: found.reason, macs, bmcAddresses, asked }, 'inspection data finds no node that waits for it');
  throw new NotWaiting(known.length === 1 ? (known[0] ?? null) : null, known.length + byBmc.length === 0);
}
