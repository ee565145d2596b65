import type { Command } from '@lib/contracts';
import { decide } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from '../handle-command/deps';

type RecordHeartbeat = Extract<Command, { type: 'RecordHeartbeat' }>;

/** A sign of life (contract: other-resources.md §4). Most are accepted and leave nothing. */
export async function recordHeartbeat(
  command: RecordHeartbeat,
  meta: EventMeta,
  { commits, clock, options }: Pick<HandlerDeps, 'commits' | 'clock' | 'options'>,
): Promise<void> {
  const { callbackUrl, tokenDigest, agentVersion, agentStatus, requireTls } = command;
  await commits.commit(command.uuid, meta, ({ stream }) => ({
    events: decide({ type: 'Heartbeat', callbackUrl, tokenDigest, agentVersion, agentStatus, requireTls }, stream, {
      now: clock.now(),
      host: options.host,
      policy: options.policy,
    }),
  }));
}
