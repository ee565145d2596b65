import type { Command, RamdiskAnswer } from '@lib/contracts';
import { decide } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from '../handle-command/deps';
import { ramdiskAnswer } from './answer';

type LookUpNode = Extract<Command, { type: 'LookUpNode' }>;

/** A ramdisk asks who it is (contract: other-resources.md §3). Rejects with RESOURCE_NOT_FOUND or NODE_LOCKED. */
export async function lookUpNode(
  command: LookUpNode,
  meta: EventMeta,
  { commits, clock, options }: Pick<HandlerDeps, 'commits' | 'clock' | 'options'>,
): Promise<RamdiskAnswer> {
  const { uuid, tokenDigest, inAnyState } = command;
  const { after } = await commits.commit(uuid, meta, ({ stream }) => ({
    events: decide({ type: 'LookUp', tokenDigest, inAnyState }, stream, {
      now: clock.now(),
      host: options.host,
      policy: options.policy,
    }),
  }));
  if (!after.node) throw new Error(`node ${uuid} was found and is not there`);
  return ramdiskAnswer(after.node, tokenDigest);
}
