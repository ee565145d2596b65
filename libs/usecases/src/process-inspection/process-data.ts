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

/** The node as far as what is made of its data leans on it. */
type Known = Pick<Node, 'fields' | 'inventory'>;

async function hooked(
  hooks: readonly string[],
  data: { readonly inventory: JsonObject; readonly pluginData: JsonObject },
  known: JsonObject,
  { inventory: before }: Known,
  { hookOptions: options }: Pick<InspectionOptions, 'hookOptions'>,
  reader: Pick<EventReader, 'readBlob'>,
): Promise<Hooked> {
  const { inventory } = data;
  const previous = hooks.includes(LOOKS_BACK) && before ? await read(before.inventory, reader) : null;
  const result = runHooks(hooks, data.pluginData, { inventory, properties: known, previous, options });
  if (!result.ok) throw new Error(`failed to run inspection hooks: ${result.reason}`);
  const { properties, ports: nics, facts, warnings, pluginData } = result;
  return { inventory, pluginData, properties, nics, facts, warnings };
}

/** Posted data, out of the store. */
export async function readPayload(
  payload: StoredInventory,
  reader: Pick<EventReader, 'readBlob'>,
): Promise<FoundOutOfBand['data']> {
  const [inventory, pluginData] = await Promise.all([
    read(payload.inventory, reader),
    read(payload.pluginData, reader),
  ]);
  return { inventory, pluginData };
}

/** Runs the hooks over posted data (contract: inspection.md §7). Rejects with the reason when they say no. */
export async function processData(
  payload: StoredInventory,
  node: Known,
  options: InspectionOptions,
  reader: Pick<EventReader, 'readBlob'>,
): Promise<Hooked> {
  return hooked(options.hooks, await readPayload(payload, reader), node.fields.properties, node, options, reader);
}

/** What an interface read of a machine by itself, and what is to be made of it. */
export interface FoundOutOfBand {
  readonly data: { readonly inventory: JsonObject; readonly pluginData: JsonObject };
  readonly hooks: readonly string[];
  /** Properties that it measured; what the hooks find goes over them. */
  readonly properties: JsonObject;
}

/** As `processData`, of what was read out of band (contract: redfish.md §4, row 11). */
export async function processFound(
  { data, hooks, properties }: FoundOutOfBand,
  node: Known,
  options: Pick<InspectionOptions, 'hookOptions'>,
  reader: Pick<EventReader, 'readBlob'>,
): Promise<Hooked> {
  const known = { ...node.fields.properties, ...properties };
  const found = await hooked(hooks, data, known, node, options, reader);
  return { ...found, properties: { ...properties, ...found.properties } };
}
