import { createHash } from 'node:crypto';
import type { JsonObject, StoredInventory } from '@lib/domain';
import type { Blob } from '@lib/ports';

function blobOf(value: unknown): Blob {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** `logs` are never kept with an inspection's data (contract: inspection.md §11). */
export const pluginDataBlob = (pluginData: JsonObject): Blob =>
  blobOf(Object.fromEntries(Object.entries(pluginData).filter(([key]) => key !== 'logs')));

/** Data as it was posted, `logs` included: an inspector that it goes on to may want them. */
export function postedBlobs(inventory: JsonObject, pluginData: JsonObject): ReturnType<typeof inventoryBlobs> {
  const blobs = [blobOf(inventory), blobOf(pluginData)] as const;
  return { stored: { inventory: blobs[0].hash, pluginData: blobs[1].hash }, blobs };
}

/** An inspection's data as blobs of the append that finishes it. */
export function inventoryBlobs(
  inventory: JsonObject,
  pluginData: JsonObject,
): { readonly stored: StoredInventory; readonly blobs: readonly Blob[] } {
  const blobs = [blobOf(inventory), pluginDataBlob(pluginData)] as const;
  return { stored: { inventory: blobs[0].hash, pluginData: blobs[1].hash }, blobs };
}
