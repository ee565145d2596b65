import type { Command } from '@lib/contracts';
import { decide } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from './deps';
import { inspectFactsOf } from './drive-node';

type PromoteRefused = Extract<Command, { type: 'PromoteRefused' }>;

/** Refused data is used in a new attempt. */
export async function promoteRefused(
  { uuid, record }: PromoteRefused,
  meta: EventMeta,
  deps: Pick<HandlerDeps, 'commits' | 'clock' | 'options' | 'hardware'>,
): Promise<void> {
  const { commits, clock, options } = deps;
  await commits.commit(uuid, meta, ({ stream }) => {
    const inspect = inspectFactsOf(stream.node, deps);
    const context = { now: clock.now(), host: options.host, policy: options.policy };
    return { events: decide({ type: 'PromoteRefused', record, inspect }, stream, context) };
  });
}
