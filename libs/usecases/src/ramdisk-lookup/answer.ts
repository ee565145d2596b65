import type { RamdiskAnswer } from '@lib/contracts';
import { Refusal } from '@lib/domain';
import type { Node } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';
import type { Commits } from '../node-commits';
import { uuidOfStream } from '../node-streams';
import { shownInternalInfo } from '../project-node';

/**
 * What a ramdisk is told of its node. A token was issued exactly when the digest that came along is the node's now: each
 * call brings a token of its own, and so a repeated command gets the answer of its first sending.
 */
export const ramdiskAnswer = (node: Node, tokenDigest: string | null): RamdiskAnswer => ({
  uuid: node.uuid,
  properties: node.fields.properties,
  instance_info: node.fields.instance_info,
  driver_internal_info: shownInternalInfo(node),
  management_interface: node.fields.management_interface,
  issued: tokenDigest !== null && node.agentTokenDigest === tokenDigest,
});

/** The answer once more, for a command that is in the log already. */
export async function answeredBefore(
  { tokenDigest }: { readonly tokenDigest: string | null },
  recorded: readonly RecordedEvent[],
  { commits }: { readonly commits: Commits },
): Promise<RamdiskAnswer> {
  const uuid = uuidOfStream(recorded[0]?.stream ?? '');
  const { stream } = await commits.streams.load(uuid, false);
  if (!stream.node) throw new Refusal('RESOURCE_NOT_FOUND', 'Resource could not be found.');
  return ramdiskAnswer(stream.node, tokenDigest);
}
