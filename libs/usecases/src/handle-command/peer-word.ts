import { Refusal } from '@lib/domain';
import type { NodeEvent, NodeStream } from '@lib/domain';
import type { EventReader } from '@lib/ports';
import type { NodeCommits } from '../node-commits';
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
 * rejects with PEER_FAILED when it refused, NODE_NOT_FOUND when the node was removed meanwhile.
 */
export async function peersWord(
  uuid: string,
  intent: IntentEvent,
  version: number,
  commits: NodeCommits,
  reader: EventReader,
): Promise<void> {
  const effect = intent.data.effect.n;
  const ended = await commits.signals.waitFor(
    uuid,
    (stream) => !isOpen(stream, effect),
    intent.data.giveUp.due + GRACE_MS,
  );
  const events = await reader.readStream(nodeStreamId(uuid), version, 1000);
  const outcome = events.map(nodeEventOf).find((event) => event && endsIntent(event, effect));
  if (!ended || !outcome) throw new Refusal('PEER_FAILED', 'The peer did not answer; whether it acts is unknown.');
  if (outcome.type === 'NodeRemoved') throw new Refusal('NODE_NOT_FOUND', `Node ${uuid} could not be found.`);
  if (outcome.type === 'InspectionAbortRefused' || outcome.type === 'BootDeviceChangeRefused') {
    throw new Refusal('PEER_FAILED', outcome.data.error);
  }
}

function endsIntent(event: NodeEvent, effect: number): boolean {
  switch (event.type) {
    case 'InspectionAborted':
    case 'InspectionAbortRefused':
    case 'BootDeviceChanged':
    case 'BootDeviceChangeRefused':
      return event.data.effect === effect;
    default:
      return event.type === 'NodeRemoved';
  }
}
