import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultHookOptions, type InventoryTemplate } from '@lib/domain/introspection';
import type { Logger, MessageBus } from '@lib/ports';
import {
  type BareMetalApi,
  serveInspectorOnBus,
  SimulatedInspector,
  withRetries,
} from '@lib/usecases/simulated-inspector';
import { PREFIX } from '../world';
import type { Fate } from './fate';
import type { Process } from './process';

const example = join(__dirname, '../contract-data/examples/inventory-small.json');
const inventories: readonly InventoryTemplate[] = [
  { name: 'small', payload: JSON.parse(readFileSync(example, 'utf8')) as InventoryTemplate['payload'] },
];

/** Shorter than the longest wait of a node, so that an inspector may be the one that gives up. */
const TIMEOUT_MS = 90_000;

/** An inspector with its ramdisks as a process: when it dies, its cache and its ramdisks' jobs die with it. */
export async function startInspector(
  process: Process,
  parts: { readonly bus: MessageBus; readonly api: BareMetalApi; readonly fate: Fate; readonly logger: Logger },
): Promise<void> {
  const { bus, api, fate, logger } = parts;
  const inspector = new SimulatedInspector({
    api: withRetries(api, process.clock, { triesMax: 5, pauseMs: 1000 }),
    clock: process.clock,
    chance: fate,
    logger,
    resolveHost: async () => [],
    options: {
      timeoutMs: TIMEOUT_MS,
      cleanUpPeriodMs: 20_000,
      canManageBoot: true,
      powerOff: true,
      storeData: true,
      listMax: 1000,
      hooks: defaultHookOptions,
      fleet: null,
      inventories,
      latePollMs: 1000,
    },
  });
  await serveInspectorOnBus(bus, PREFIX, inspector, logger);
}
