import { Refusal } from '@lib/domain';
import type { NodeEvent, NodeStream } from '@lib/domain';
import type { EventReader } from '@lib/ports';
import type { Commits } from '../node-commits';
import { nodeEventOf, nodeStreamId } from '../node-streams';

/** Beyond the give-up deadline, so that its own event ends the wait (architecture, "A request that needs a peer's word"). */
const GRACE_MS = 2000;

export type IntentEvent = Extract<NodeEvent, { type: 'InspectionAbortRequested' | 'BootDeviceChangeRequested' }>;

export const intentIn = (events: readonly NodeEvent[]): IntentEvent | null =>
  events.find(
    (event): event is IntentEvent =>
      event.type === 'InspectionAbortRequested' || event.type === 'BootDeviceChangeRequested',
  ) ?? null;

const isOpen = ({ node }: NodeStream, effect: number): boolean => node?.intent?.effect === effect;

/**
 * Keeps the requester's reply open until the second append or the peer's time is over. Resolves when the peer accepted;
 * rejects with PEER_FAILED when it refused, NODE_NOT_FOUND when the node was removed meanwhile, INVALID_STATE when the
 * inspection to abort ended otherwise.
 */
export async function peersWord(
  uuid: string,
  intent: IntentEvent,
  version: number,
  commits: Commits,
  reader: EventReader,
): Promise<void> {
  const effect = intent.data.effect.n;
  const giveUpAt = intent.data.giveUp.due + GRACE_MS;
  await commits.signals.waitFor(uuid, (stream) => !isOpen(stream, effect), giveUpAt);
  const events = await reader.readStream(nodeStreamId(uuid), version, 1000);
  const outcome = events.map(nodeEventOf).find((event) => event && endsIntent(event, intent));
  if (!outcome) throw new Refusal('PEER_FAILED', 'The peer did not answer; whether it acts is unknown.');
  if (outcome.type === 'NodeRemoved') throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
  if (outcome.type === 'InspectionAbortRefused' || outcome.type === 'BootDeviceChangeRefused') {
    throw new Refusal('PEER_FAILED', outcome.data.error);
  }
  if (isOtherEnding(outcome)) {
    throw new Refusal('INVALID_STATE', `The inspection of node ${uuid} ended by itself before it could be aborted.`);
  }
}

/** The attempt was over before the peer's word came. */
const isOtherEnding = ({ type }: NodeEvent): boolean =>
  type === 'InspectionFailed' || type === 'InspectionFinished' || type === 'InspectionTimedOut';

function endsIntent(event: NodeEvent, intent: IntentEvent): boolean {
  switch (event.type) {
    case 'InspectionAborted':
    case 'InspectionAbortRefused':
    case 'BootDeviceChanged':
    case 'BootDeviceChangeRefused':
      return event.data.effect === intent.data.effect.n;
    default:
      // The end of an inspection ends what was asked of the inspector, not what was asked of the machine.
      return event.type === 'NodeRemoved' || (intent.type === 'InspectionAbortRequested' && isOtherEnding(event));
  }
}
