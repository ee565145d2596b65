/** contract: node-api.md §23 */
import { ok, type Answer, type Call } from '../http';
import { linkPair } from '../render';
import { findNode } from './find';

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
