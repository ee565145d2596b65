import { lookup } from 'node:dns/promises';
import { logFiles } from '@lib/adapters/log-files';
import { defaultHookOptions } from '@lib/domain/introspection';
import { subjects } from '@lib/contracts';
import type { Chance, Clock, Logger, MessageBus } from '@lib/ports';
import {
  inspectorMemoryFrom,
  type InspectorOptions,
  type RetryOptions,
  serveInspectorOnBus,
  SimulatedInspector,
  withRetries,
} from '@lib/usecases/simulated-inspector';
import { BareMetalHttp } from './bare-metal-http';
import { callersByToken } from './caller';
import { bootedMachines } from './boot-files';
import type { BootFiles } from './boot-files';
import type { Credentials, Guard } from './http/identity';
import { serveHttp } from './http/serve';
import { ramdiskMemoryFrom, SimulatedRamdisks } from '@lib/usecases/simulated-ramdisk';
import { inventories } from './inventories';
import { Keystone, type KeystoneOptions } from './keystone';
import { RamdiskHttp } from './ramdisk-http';
import { openStateFile } from './state-file';

/** The inspector's own defaults, with data stored and no pause between nodes (contract: inspector-api.md §3-4). */
export const defaultInspectorOptions: InspectorOptions = {
  timeoutMs: 3_600_000,
  cleanUpPeriodMs: 60_000,
  introspectionDelayMs: 0,
  canManageBoot: true,
  powerOff: true,
  storeData: true,
  permitActive: false,
  enrollDriver: null,
  alwaysKeepLogs: false,
  listMax: 1000,
  hooks: defaultHookOptions,
  fleet: null,
  inventories,
  latePollMs: 1000,
};

export interface InspectorSimulatorSettings extends Partial<InspectorOptions> {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Root of the Bare Metal API. */
  readonly apiUrl: string;
  /** Prefix of the bus subjects. */
  readonly prefix: string;
  /** Who may use the REST API; null or absent: everybody. */
  readonly credentials?: Credentials | null;
  /** The identity service that says who may use it; null or absent: none is asked. It goes before `credentials`. */
  readonly keystone?: KeystoneOptions | null;
  /** Calls to the Bare Metal API: 5 tries, 1 s apart, unless given. */
  readonly apiRetry?: RetryOptions;
  /** Where machines that the conductor boots find their boot files; null: nowhere, and they boot nothing. */
  readonly bootFiles?: BootFiles | null;
  /** How often it is looked for nodes of the interface `agent` whose ramdisks are to be played; 0: never. */
  readonly ramdiskPollMs?: number;
  /** Folder in which the logs of ramdisks are kept; null or absent: they are dropped. */
  readonly ramdiskLogsFolder?: string | null;
  /** File that keeps over a restart what is known; null or absent: a restart forgets it, as an inspector that lost its cache. */
  readonly stateFile?: string | null;
}

export interface InspectorSimulatorDeps {
  readonly settings: InspectorSimulatorSettings;
  /** Null: REST alone. */
  readonly bus: MessageBus | null;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
}

export interface InspectorSimulator {
  /** Where the REST API listens. */
  readonly url: string;
  /** Takes no more requests, lets what is under way end (at most 5 s), then closes. */
  stop(): Promise<void>;
}

const STOP_MS_MAX = 5000;

const resolveHost = async (host: string): Promise<readonly string[]> => {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
};

const guardOf = (settings: InspectorSimulatorSettings, clock: Clock): Guard => {
  const { keystone: options, credentials } = settings;
  if (options) return { kind: 'keystone', keystone: new Keystone(options, clock), authUrl: options.authUrl };
  return credentials ? { kind: 'http_basic', credentials } : { kind: 'noauth' };
};

export const startInspectorSimulator = async (deps: InspectorSimulatorDeps): Promise<InspectorSimulator> => {
  const { settings, bus, clock, chance, logger } = deps;
  const {
    host,
    port,
    apiUrl,
    prefix,
    apiRetry = { triesMax: 5, pauseMs: 1000 },
    ramdiskPollMs = 0,
    bootFiles = null,
    credentials: _credentials,
    keystone: _keystone,
    stateFile = null,
    ramdiskLogsFolder = null,
    ...wishes
  } = settings;
  const bareMetal = new BareMetalHttp(apiUrl);
  const api = withRetries(bareMetal, clock, apiRetry);
  const options = { ...defaultInspectorOptions, ...wishes };
  const machines = bootFiles ? { machines: bootedMachines(bootFiles) } : {};
  const file = stateFile === null ? null : await openStateFile(stateFile);
  const memory = file ? { memory: inspectorMemoryFrom(file.documents, file) } : {};
  const logs = ramdiskLogsFolder === null ? {} : { logs: logFiles(ramdiskLogsFolder) };
  const parts = {
    api,
    discovery: bareMetal,
    clock,
    chance,
    logger,
    resolveHost,
    options,
    callers: callersByToken,
    ...machines,
    ...memory,
    ...logs,
  };
  const inspector = new SimulatedInspector(parts);
  const door = {
    host,
    port,
    guard: guardOf(settings, clock),
    inspector,
    logger,
    isReady: () => bus?.connected() ?? true,
  };
  const doors: { close(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const { close } of doors.splice(0)) await close();
    await Promise.race([inspector.stop(), new Promise<void>((resolve) => clock.after(STOP_MS_MAX, resolve))]);
    await file?.close();
  };
  try {
    if (bus) doors.push({ close: (await serveInspectorOnBus(bus, prefix, inspector, logger)).stop });
    const http = await serveHttp(door);
    doors.push(http);
    if (ramdiskPollMs > 0) {
      const ramdisks = new SimulatedRamdisks({
        host: new RamdiskHttp(apiUrl, bootFiles),
        clock,
        chance,
        logger,
        inventories: options.inventories,
        pollMs: ramdiskPollMs,
        ...(file ? { memory: ramdiskMemoryFrom(file.documents, file) } : {}),
      });
      ramdisks.start();
      if (bus)
        doors.push({ close: (await bus.listen(subjects.hint(prefix, 'deadlines'), () => ramdisks.wake())).stop });
      doors.push({ close: () => ramdisks.stop() });
    }
    logger.info({ url: http.url, apiUrl }, 'The inspector-simulator is listening');
    return { url: http.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
