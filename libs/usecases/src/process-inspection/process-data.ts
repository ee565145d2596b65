import { runHooks } from '@lib/domain';
import type { JsonObject, NicSets, Node, PortWishes, StoredInventory } from '@lib/domain';
import type { EventReader } from '@lib/ports';
import type { InspectionOptions } from './options';

/** What the hooks made of a machine's data. */
export interface Hooked {
  readonly inventory: JsonObject;
  readonly pluginData: JsonObject;
  readonly properties: JsonObject;
  /** NICs whose ports are brought in line. */
  readonly nics: NicSets | null;
  /** What was found out about ports. */
  readonly facts: PortWishes['facts'];
  readonly warnings: readonly string[];
}

/** The one hook that compares with the inspection before. */
const LOOKS_BACK = 'raid-device';

async function read(hash: string, reader: Pick<EventReader, 'readBlob'>): Promise<JsonObject> {
  const bytes = await reader.readBlob(hash);
  if (!bytes) throw new Error(`the posted data ${hash} is not in the store`);
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonObject;
}

/** Runs the hooks over posted data (contract: inspection.md §7). Rejects with the reason when they say no. */
export async function processData(
  payload: StoredInventory,
  { fields, inventory: before }: Node,
  options: InspectionOptions,
  reader: Pick<EventReader, 'readBlob'>,
): Promise<Hooked> {
  const [inventory, posted] = await Promise.all([read(payload.inventory, reader), read(payload.pluginData, reader)]);
  const previous = options.hooks.includes(LOOKS_BACK) && before ? await read(before.inventory, reader) : null;
  const { properties: known } = fields;
  const input = { inventory, properties: known, previous, options: options.hookOptions };
  const result = runHooks(options.hooks, posted, input);
  if (!result.ok) throw new Error(`failed to run inspection hooks: ${result.reason}`);
  const { properties, ports: nics, facts, warnings, pluginData } = result;
  return { inventory, pluginData, properties, nics, facts, warnings };
}
