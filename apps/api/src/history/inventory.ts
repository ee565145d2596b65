/** contract: node-api.md §19 */
import { notFound } from '../faults';
import { jsonText, type Answer, type Call } from '../http';
import { findNode } from '../nodes';

/** The stored blobs are JSON texts and go out as they are, not parsed. */
export async function showInventory(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  const [stored] = await call.services.readModel.get('node_inventory', [uuid]);
  if (!stored) throw notFound(`Node ${uuid} has no inventory.`);
  const hashes = JSON.parse(stored.json) as { readonly inventory: string; readonly plugin_data: string };
  const [inventory, pluginData] = await Promise.all([textOf(call, hashes.inventory), textOf(call, hashes.plugin_data)]);
  return jsonText(200, `{"inventory":${inventory},"plugin_data":${pluginData}}`);
}

async function textOf(call: Call, hash: string): Promise<string> {
  const bytes = await call.services.readModel.readBlob(hash);
  if (!bytes) throw new Error(`The read model names a blob that is not stored: ${hash}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
