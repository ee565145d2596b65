/** Collections under a node that hold nothing in this server. contract: node-api.md §17, §23 */
import { ok, type Answer, type Call } from '../http';
import { linkPair } from '../render';
import { findNode } from './find';

/** A list that is empty for every node that exists. */
export const emptyPart =
  (name: string) =>
  async (call: Call): Promise<Answer> => {
    await findNode(call);
    return ok({ [name]: [] });
  };

export async function showVolume(call: Call): Promise<Answer> {
  const { uuid } = await findNode(call);
  return ok(volumeLinks(call.publicUrl, `nodes/${uuid}/volume`));
}

/** Only the hrefs in `links` end with a slash (contract: other-resources.md §13). */
export const volumeLinks = (publicUrl: string, path: string): object => ({
  links: linkPair(publicUrl, `${path}/`),
  connectors: linkPair(publicUrl, `${path}/connectors`),
  targets: linkPair(publicUrl, `${path}/targets`),
});
