import { Refusal } from '@lib/domain';
import type { NodeEvent, NodeStream } from '@lib/domain';
import type { EventReader } from '@lib/ports';
import type { Commits } from '../node-commits';
import { nodeEventOf, nodeStreamId } from '../node-streams';

/** Beyond the give-up deadline, so that its own event ends the wait (architecture, "A request that needs a peer's word"). */
const GRACE_MS = 2000;

type GivingUp = Extract<
  NodeEvent,
  { type: 'InspectionAbortRequested' | 'BootDeviceChangeRequested' | 'ManagementRequested' }
>;

/** A request whose requester waits until the peer has spoken or gives up. */
export interface Intent {
  readonly type: GivingUp['type'];
  readonly effect: number;
  readonly giveUpAt: number;
}

export const intentIn = (events: readonly NodeEvent[]): Intent | null =>
  events.map(intentOf).find((intent) => intent !== null) ?? null;

function intentOf(event: NodeEvent): Intent | null {
  switch (event.type) {
    case 'InspectionAbortRequested':
    case 'BootDeviceChangeRequested':
    case 'ManagementRequested': {
      const { effect, giveUp } = event.data;
      return giveUp && { type: event.type, effect: effect.n, giveUpAt: giveUp.due };
    }
    default:
      return null;
  }
}

const isOpen = ({ node }: NodeStream, effect: number): boolean => node?.intent?.effect === effect;

/**
 * Keeps the requester's reply open until the second append or the peer's time is over. Resolves when the peer accepted,
 * with what it answered; rejects with PEER_FAILED when it refused, NODE_NOT_FOUND when the node was removed meanwhile,
 * INVALID_STATE when the inspection to abort ended otherwise.
 */
export async function peersWord(
  uuid: string,
  intent: Intent,
  version: number,
  commits: Commits,
  reader: EventReader,
): Promise<Readonly<Record<string, unknown>>> {
  const { effect, giveUpAt } = intent;
  await commits.signals.waitFor(uuid, (stream) => !isOpen(stream, effect), giveUpAt + GRACE_MS);
  const events = await reader.readStream(nodeStreamId(uuid), version, 1000);
  const outcome = events.map(nodeEventOf).find((event) => event && endsIntent(event, intent));
  if (!outcome) throw new Refusal('PEER_FAILED', 'The peer did not answer; whether it acts is unknown.');
  if (outcome.type === 'NodeRemoved') throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
  if (
    outcome.type === 'InspectionAbortRefused' ||
    outcome.type === 'BootDeviceChangeRefused' ||
    outcome.type === 'ManagementFailed'
  ) {
    throw new Refusal('PEER_FAILED', outcome.data.error);
  }
  if (isOtherEnding(outcome)) {
    throw new Refusal('INVALID_STATE', `The inspection of node ${uuid} ended by itself before it could be aborted.`);
  }
  return outcome.type === 'ManagementDone' ? { answer: outcome.data.answer ?? null } : {};
}

/** The attempt was over before the peer's word came. */
const isOtherEnding = ({ type }: NodeEvent): boolean =>
  type === 'InspectionFailed' || type === 'InspectionFinished' || type === 'InspectionTimedOut';

function endsIntent(event: NodeEvent, intent: Intent): boolean {
  switch (event.type) {
    case 'InspectionAborted':
    case 'InspectionAbortRefused':
    case 'BootDeviceChanged':
    case 'BootDeviceChangeRefused':
    case 'ManagementDone':
    case 'ManagementFailed':
      return event.data.effect === intent.effect;
    default:
      // The end of an inspection ends what was asked of the inspector, not what was asked of the machine.
      return event.type === 'NodeRemoved' || (intent.type === 'InspectionAbortRequested' && isOtherEnding(event));
  }
}
