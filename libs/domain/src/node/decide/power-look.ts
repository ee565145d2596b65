import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';

/** Whether somebody else is at the machine, or nobody is to be: then what it shows is not the record's matter. */
const isBusy = ({ reservation, intent, work, effects, targetPowerState }: Node): boolean =>
  reservation !== null || intent !== null || work !== null || effects.length > 0 || targetPowerState !== null;

/** Nodes in which the recorded power state is compared with the machine's (contract: inspection.md §1.1). */
export const isPowerSynced = (node: Node): boolean =>
  !isBusy(node) && !node.fields.maintenance && node.provisionState !== 'enroll';

/** Nodes that are brought back as soon as their machine answers. */
export const lostPower = ({ fields }: Node): boolean => fields.maintenance && fields.fault === 'power failure';

/** A machine that may not be powered off is not put back into being off. */
const canPutRight = ({ powerState, fields, inspection }: Node): boolean =>
  powerState !== null && inspection === null && !(powerState === 'power off' && fields.disable_power_off === true);

/**
 * What was seen of a machine's power is recorded, or put right. Nothing while an inspection is open but the record: whoever
 * inspects drives the machine, and maintenance would hold the deadline of its wait.
 */
export function decidePowerLook(
  { seen }: Extract<NodeCommand, { type: 'NotePower' }>,
  { node, counters }: NodeStream,
  { now: at, host }: Context,
): readonly NodeEvent[] {
  if (!node || isBusy(node)) return [];
  if (lostPower(node)) {
    return 'lost' in seen ? [] : [{ type: 'PowerControlRegained', data: { at, powerState: seen.state } }];
  }
  if (!isPowerSynced(node)) return [];
  if ('lost' in seen) {
    return node.inspection ? [] : [{ type: 'PowerControlLost', data: { at, error: seen.lost } }];
  }
  const { state, putRight } = seen;
  const { powerState: target } = node;
  if (state === target) return [];
  if (target === null || !putRight || !canPutRight(node)) {
    return [{ type: 'PowerStateSeen', data: { at, powerState: state } }];
  }
  const task = { kind: 'power', target, timeoutSeconds: null, cleanUp: false } as const;
  const effect = { n: counters.effect + 1, attempt: null, task };
  return [{ type: 'PowerChangeRequested', data: { at, effect, takesReservation: true, host } }];
}
