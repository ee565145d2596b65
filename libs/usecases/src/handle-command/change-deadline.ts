import type { Command } from '@lib/contracts';
import { decide } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from './deps';

type ChangeDeadline = Extract<Command, { type: 'ChangeDeadline' }>;

/** An operator's word on a deadline; who said it is kept with it. */
export async function changeDeadline(
  { uuid, change, reason }: ChangeDeadline,
  meta: EventMeta,
  { commits, clock, options }: Pick<HandlerDeps, 'commits' | 'clock' | 'options'>,
): Promise<void> {
  const by = { user: meta.actor, request: meta.requestId };
  await commits.commit(uuid, meta, ({ stream }) => {
    const context = { now: clock.now(), host: options.host, policy: options.policy };
    return { events: decide({ type: 'ChangeDeadline', change, by, reason }, stream, context) };
  });
}
