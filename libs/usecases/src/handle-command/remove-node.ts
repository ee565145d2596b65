import { plainKinds, plainResources } from '@lib/contracts';
import { Refusal, decide, sealingKeys } from '@lib/domain';
import type { Node, WaitOutcome } from '@lib/domain';
import type { Call, EventMeta, Machine } from '@lib/ports';
import { machineOf } from '../machine';
import { documentsWith, removalWrite } from '../plain-resources';
import { tellEnding } from '../tell-ending';
import type { HandlerDeps } from './deps';

/** Kinds of what belongs to a node and goes with it. */
const parts = plainKinds.filter((kind) => plainResources[kind].ofNode);

/** A node goes with its ports, groups and volume records, in one append (contract: node-api.md §7). */
export async function removeNode(uuid: string, meta: EventMeta, deps: HandlerDeps): Promise<void> {
  const { options, commits, clock, readModel, box } = deps;
  let keyIds: readonly string[] = [];
  const seen: { machine: Machine | null } = { machine: null };
  const { before } = await commits.commit(uuid, meta, async ({ stream }) => {
    if (!stream.node) throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
    const now = clock.now();
    const events = decide({ type: 'Remove' }, stream, { now, host: options.host, policy: options.policy });
    // Its secrets go with it: whoever is to be told of the ending, or takes what a machine was to boot out of it, may need them.
    const isTold = endingsOf(stream.node, deps).length > 0 || bootsOf(stream.node).length > 0;
    seen.machine = isTold ? await openable(stream.node, deps) : null;
    const stored = await Promise.all(
      parts.map(async (kind) => ({ kind, documents: await documentsWith(kind, 'node_uuid', uuid, readModel) })),
    );
    const removals = stored.flatMap(({ kind, documents }) => documents.map((one) => removalWrite(kind, one, now)));
    keyIds = stored.flatMap(({ documents }) => documents.flatMap(({ json }) => [...sealingKeys(JSON.parse(json))]));
    return {
      events,
      writes: removals.map(({ write }) => write),
      changes: removals.flatMap(({ changes }) => changes),
      // What is made meanwhile by another conductor guards the node's version, which only this append moves.
      empties: parts.map((kind) => ({ kind, column: 'node_uuid', value: uuid })),
    };
  });
  const keyId = before.node?.keyId;
  await Promise.all([...new Set([...keyIds, ...(keyId ? [keyId] : [])])].map((id) => box.destroyKey(id)));
  if (!before.node) return;
  await forgetBoots(before.node, seen.machine, deps);
  // Nobody who deletes a node waits for what an interface makes of it.
  void tellEndings(before.node, seen.machine, deps);
}

/** A node whose secrets can not be opened is removed all the same. */
const openable = (node: Node, { box }: HandlerDeps): Promise<Machine | null> => machineOf(node, box).catch(() => null);

/** Attempts of a node whose ramdisk boot was prepared and not cleaned up yet. */
const bootsOf = ({ inspection, effects }: Node): { readonly name: string; readonly attempt: number | null }[] => [
  ...(inspection?.bootInterface ? [{ name: inspection.bootInterface, attempt: inspection.attempt }] : []),
  ...effects.flatMap(({ task, attempt }) => (task.kind === 'clean up boot' ? [{ name: task.interface, attempt }] : [])),
];

interface Untold {
  readonly interface: string;
  readonly outcome: WaitOutcome;
  readonly attempt: number;
}

/** Of an attempt that ends with the node, and of one that had ended and was not told of yet. */
function endingsOf(node: Node, { hardware }: Pick<HandlerDeps, 'hardware'>): readonly Untold[] {
  const { inspection, effects } = node;
  const open = effects.flatMap(({ task, attempt }) =>
    task.kind === 'tell ending' ? [{ interface: task.interface, outcome: task.outcome, attempt: attempt ?? 0 }] : [],
  );
  if (!inspection?.waited || !hardware.inspect(inspection.interface).facts.hearsOfEndings) return open;
  return [...open, { interface: inspection.interface, outcome: 'deleted', attempt: inspection.attempt }];
}

/** A removed node has no effects: these calls are made once, and a failure of one is only logged. */
async function tellEndings(node: Node, machine: Machine | null, deps: HandlerDeps): Promise<void> {
  for (const { attempt, ...ending } of endingsOf(node, deps)) {
    try {
      if (!machine) throw new Error('the secrets of the node can not be opened');
      await tellEnding(ending, attempt, machine, deps.hardware, unbound);
    } catch (error) {
      const fields = { node: node.uuid, attempt, interface: ending.interface, reason: String(error) };
      deps.logger.warn(fields, 'the inspect interface of a removed node failed at being told of the ending');
    }
  }
}

const unbound: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };

/**
 * A removed node has no effects any more, so what waits for its machine is taken away here, as well as can be. Files are gone when
 * it answers; nobody waits for a BMC.
 */
async function forgetBoots(node: Node, machine: Machine | null, { hardware, logger }: HandlerDeps): Promise<void> {
  const { uuid } = node;
  const known = machine ? { driverInfo: machine.driverInfo } : {};
  for (const { name, attempt } of bootsOf(node)) {
    const failed = (error: unknown): void => {
      const fields = { node: uuid, attempt, interface: name, reason: String(error) };
      logger.warn(fields, 'what was prepared to boot the ramdisk of a removed node is still there');
    };
    try {
      const boot = hardware.boot(name);
      const cleaned = boot.cleanUpRamdisk({ uuid, attempt, ...known }, unbound);
      if (boot.bootsByPort) await cleaned;
      else cleaned.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
