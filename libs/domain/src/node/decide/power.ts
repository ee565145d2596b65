import { Refusal } from '../../refusal';
import { finalPowerStateOf } from '../../states';
import type { Context, NodeCommand } from '../commands';
import type { Effect } from '../effects';
import type { NodeEvent } from '../events';
import type { Node, NodeStream } from '../state';
import { existing, unreserved } from './guards';

/** Contract: node-api.md §11. In `inspect wait` a power change does not take the reservation (inspectors drive the machine). */
export function decidePower(
  command: Extract<NodeCommand, { type: 'ChangePower' }>,
  stream: NodeStream,
  { now: at, host }: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  const { provisionState: state, uuid, fields } = node;
  if (state === 'cleaning' || state === 'clean wait') {
    throw new Refusal(
      'INVALID_STATE',
      `The power of node "${uuid}" can not be changed while it is in state "${state}".`,
    );
  }
  if (fields.disable_power_off && (command.target === 'power off' || command.target === 'soft power off')) {
    throw new Refusal('STATE_CONFLICT', `Node ${uuid} has power off disabled.`);
  }
  if (finalPowerStateOf(command.target) === 'power on') notBeingAborted(node);
  unreserved(node);
  if (command.problem) throw new Refusal('INVALID_PARAMETER', command.problem);
  const { target, timeoutSeconds } = command;
  const effect: Effect = {
    n: stream.counters.effect + 1,
    attempt: null,
    task: { kind: 'power', target, timeoutSeconds, cleanUp: false },
  };
  const takesReservation = state !== 'inspect wait';
  return [{ type: 'PowerChangeRequested', data: { at, effect, takesReservation, host } }];
}

/**
 * An inspector that is still booting the machine holds its own lock, and an abort waits for that lock: if it had to wait
 * for the abort in turn, neither would end. So it is told at once that its run is being aborted.
 */
function notBeingAborted({ uuid, intent }: Node): void {
  if (intent?.kind !== 'abort') return;
  throw new Refusal(
    'INVALID_STATE',
    `The inspection of node "${uuid}" is being aborted; the machine is not booted now.`,
  );
}

/** Needs the BMC's word: an intent, then its outcome (contract: node-api.md §13). */
export function decideBootDevice(
  command: Extract<NodeCommand, { type: 'SetBootDevice' }>,
  stream: NodeStream,
  { now: at, host, policy }: Context,
): readonly NodeEvent[] {
  const node = existing(stream);
  notBeingAborted(node);
  unreserved(node);
  if (command.problem) throw new Refusal('INVALID_PARAMETER', command.problem);
  const { device, persistent } = command;
  const effect: Effect = {
    n: stream.counters.effect + 1,
    attempt: null,
    task: { kind: 'set boot device', device, persistent },
  };
  const giveUp = { n: stream.counters.deadline + 1, due: at + policy.peerLimitMs };
  return [{ type: 'BootDeviceChangeRequested', data: { at, effect, giveUp, host } }];
}
