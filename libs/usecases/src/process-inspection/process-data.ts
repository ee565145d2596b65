import { runHooks } from '@lib/domain';
import type { EffectValue, JsonObject, NicSets, StoredInventory } from '@lib/domain';
import type { Blob, EventReader } from '@lib/ports';
import { inventoryBlobs } from '../stored-inventory';
import type { InspectionOptions } from './options';

export interface Processed {
  readonly value: EffectValue;
  readonly blobs: readonly Blob[];
  /** NICs whose ports are brought in line in the same append. */
  readonly nics: NicSets | null;
  readonly warnings: readonly string[];
}

async function read(hash: string, reader: Pick<EventReader, 'readBlob'>): Promise<JsonObject> {
  const bytes = await reader.readBlob(hash);
  if (!bytes) throw new Error(`the posted data ${hash} is not in the store`);
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonObject;
}

/** Runs the hooks over posted data (contract: inspection.md §7). Rejects with the reason when they say no. */
export async function processData(
  payload: StoredInventory,
  options: InspectionOptions,
  reader: Pick<EventReader, 'readBlob'>,
): Promise<Processed> {
  const [inventory, pluginData] = await Promise.all([
    read(payload.inventory, reader),
    read(payload.pluginData, reader),
  ]);
  const result = runHooks(options.hooks, pluginData, { inventory, options: options.hookOptions });
  if (!result.ok) throw new Error(`failed to run inspection hooks: ${result.reason}`);
  const { properties, ports: nics, warnings } = result;
  const { stored, blobs } = inventoryBlobs(inventory, result.pluginData);
  return options.storeData
    ? { value: { properties, inventory: stored }, blobs, nics, warnings }
    : { value: { properties, inventory: null }, blobs: [], nics, warnings };
}
