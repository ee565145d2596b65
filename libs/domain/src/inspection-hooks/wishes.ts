import type { JsonObject } from '../node/fields';
import { sameJson } from '../json';
import { normaliseLocalLink } from '../port';
import type { PortDocument } from '../port';
import { Refusal } from '../refusal';
import { portChanges } from './ports';
import type { PortChanges } from './ports';
import type { HookOptions, NicSets, PortFacts } from './types';

/** What an inspection wants of its node's ports. */
export interface PortWishes {
  /** NICs whose ports are brought in line; null: ports are neither made nor removed. */
  readonly nics: NicSets | null;
  /** What hooks found out about ports, by the port's address; absent: nothing. */
  readonly facts?: ReadonlyMap<string, PortFacts>;
  /** Fields that rules set, by the port's address. */
  readonly edits: ReadonlyMap<string, JsonObject>;
}

export const noPortWishes: PortWishes = { nics: null, edits: new Map() };

/** Whether there is nothing to be done about ports. */
export const isWishless = ({ nics, facts, edits }: PortWishes): boolean =>
  nics === null && (facts?.size ?? 0) === 0 && edits.size === 0;

const unchanged: PortChanges = { create: [], change: [], remove: [] };

/** A switch that tells half of what a port needs to know changes nothing. */
function linked(told: JsonObject, known: JsonObject): JsonObject {
  try {
    return normaliseLocalLink({ ...told, ...known });
  } catch (error) {
    if (error instanceof Refusal) return known;
    throw error;
  }
}

/** The port with what is known of its NIC; what its local link says already stays (contract: inspection.md §7). */
function withFacts<Port extends Partial<PortDocument>>(port: Port, facts: PortFacts | undefined): Port {
  if (!facts) return port;
  const { localLink, physicalNetwork } = facts;
  return {
    ...port,
    ...(localLink ? { local_link_connection: linked(localLink, port.local_link_connection ?? {}) } : {}),
    ...(physicalNetwork === undefined ? {} : { physical_network: physicalNetwork }),
  };
}

/** What the wishes come to, against the ports as they are. `taken` are MACs that ports of other nodes have. */
export function wishedChanges(
  { nics, facts, edits }: PortWishes,
  own: readonly PortDocument[],
  taken: ReadonlySet<string>,
  options: HookOptions,
): PortChanges {
  const { create, change, remove } = nics ? portChanges(nics, own, taken, options) : unchanged;
  const finished = <Port extends Partial<PortDocument> & Pick<PortDocument, 'address'>>(port: Port): Port => ({
    ...withFacts(port, facts?.get(port.address)),
    ...edits.get(port.address),
  });
  const changed = new Map(change.map((port) => [port.uuid, port]));
  const after = own
    .filter(({ uuid }) => !remove.includes(uuid))
    .map((port) => finished(changed.get(port.uuid) ?? port));
  const before = new Map(own.map((port) => [port.uuid, port]));
  return {
    create: create.map(finished),
    change: after.filter((port) => !sameJson(port, before.get(port.uuid))),
    remove,
  };
}
