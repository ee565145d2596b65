import type { Command } from '@lib/contracts';
import { decide } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from './deps';
import { inspectFactsOf } from './drive-node';

type StartsWithData = Extract<Command, { type: 'PromoteRefused' | 'ReprocessData' }>;

/** Data that is there is used in a new attempt. */
export async function startWithData(
  { uuid, ...command }: StartsWithData,
  meta: EventMeta,
  deps: Pick<HandlerDeps, 'commits' | 'clock' | 'options' | 'hardware'>,
): Promise<void> {
  const { commits, clock, options } = deps;
  await commits.commit(uuid, meta, ({ stream }) => {
    const inspect = inspectFactsOf(stream.node, deps);
    const context = { now: clock.now(), host: options.host, policy: options.policy };
    return { events: decide({ ...command, inspect }, stream, context) };
  });
}
