import { agentCertificates } from '@lib/adapters/agent-certificates';
import { pinoLogger } from '@lib/adapters/logger-pino';
import { NatsMessageBus } from '@lib/adapters/message-bus-nats';
import { checkMasterKey, masterKey, secretBox, transportBox } from '@lib/adapters/secret-box';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import type { ServiceName } from '@lib/contracts';
import type { Logger, MessageBus } from '@lib/ports';
import { apiAddress } from './addresses';
import { openHardware } from './hardware';
import { certificatesFolder, peerGiveUpMs, simulatorOptions } from './options';
import { watchPeers } from './peers';
import { portTaken } from './port-taken';
import { publishFrom } from './publishing';
import { databaseMissing, serveReady } from './serve-ready';
import { Stopper } from './stopper';
import { openReader, openStore } from './store';

export interface RunningService {
  stop(): Promise<void>;
  /** Where it listens, for those that do. */
  readonly url: string | null;
}

interface Context {
  readonly loaded: LoadedSettings;
  readonly bus: MessageBus;
  readonly natsUrl: string;
  readonly logger: Logger;
  readonly stopper: Stopper;
  readonly onForeign: (sentence: string) => void;
}

const starters: Readonly<Record<ServiceName, (context: Context) => Promise<string | null>>> = {
  conductor: startConductorService,
  scheduler: startSchedulerService,
  api: startApiService,
  'inspector-simulator': startSimulatorService,
};

/**
 * One service in this process, over NATS; of the apps only its own is loaded, since four processes that load all four hold a
 * quarter more memory. Rejects with a sentence when it cannot start.
 */
export async function runService(
  name: ServiceName,
  loaded: LoadedSettings,
  natsUrl: string,
  onForeign: (sentence: string) => void,
): Promise<RunningService> {
  const logger = pinoLogger({ service: name });
  for (const warning of loaded.warnings) logger.warn({}, warning);
  const stopper = new Stopper();
  try {
    const bus = await NatsMessageBus.connect({
      url: natsUrl,
      name: `ferrolog ${name}`,
      onFault: (error) => logger.error({ reason: String(error) }, 'the message bus reports a fault'),
    });
    stopper.add(() => bus.close());
    const url = await starters[name]({ loaded, bus, natsUrl, logger, stopper, onForeign });
    return { url, stop: () => stopper.stop() };
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

async function watched({ bus, loaded, logger, stopper, onForeign }: Context, logId: string): Promise<void> {
  const { busPrefix: prefix } = loaded.runtime;
  stopper.add(await watchPeers({ bus, prefix, clock: systemClock, logger }, logId, onForeign));
}

async function startConductorService(context: Context): Promise<null> {
  const { loaded, bus, logger, stopper, natsUrl } = context;
  const { settings, runtime } = loaded;
  const store = await openStore(runtime);
  stopper.add(() => store.close());
  const logId = await store.log.logId();
  await watched(context, logId);
  const publishing = await publishFrom(store.log, logId, { ...context, url: natsUrl });
  const key = await masterKey(process.env['FERROLOG_MASTER_KEY'], runtime.home, systemChance);
  await checkMasterKey(key, store.keyStore, systemChance);
  const { startConductor } = await import('./doors/conductor');
  const conductor = await startConductor({
    settings,
    prefix: runtime.busPrefix,
    bus,
    log: store.log,
    readModel: store.readModel,
    leases: store.leases,
    liveness: store.liveness,
    box: secretBox({ masterKey: key, keys: store.keyStore, chance: systemChance }),
    transport: transportBox(key, systemChance),
    ...(await openHardware(loaded, bus, logger, stopper)),
    certificates: agentCertificates(certificatesFolder(loaded)),
    clock: systemClock,
    chance: systemChance,
    logger,
    soleWriter: store.soleWriter,
  });
  stopper.add(() => conductor.stop());
  const missing = () => databaseMissing(() => store.log.head());
  await tellReady(context, 'conductor', missing, () => publishing.troubled());
  return null;
}

async function tellReady(
  { bus, loaded, logger, stopper }: Context,
  name: ServiceName,
  missing: () => Promise<readonly string[]> | readonly string[],
  troubled?: () => readonly string[],
): Promise<void> {
  stopper.add(await serveReady(bus, loaded.runtime.busPrefix, name, missing, logger, troubled));
}

async function startSchedulerService(context: Context): Promise<null> {
  const { loaded, bus, logger, stopper } = context;
  const store = await openReader(loaded.runtime);
  stopper.add(() => store.close());
  const logId = await store.reader.logId();
  await watched(context, logId);
  const { busPrefix: prefix } = loaded.runtime;
  const { startScheduler } = await import('./doors/scheduler');
  const scheduler = await startScheduler({
    bus,
    prefix,
    readModel: store.readModel,
    logId,
    clock: systemClock,
    logger,
  });
  stopper.add(() => scheduler.stop());
  await tellReady(context, 'scheduler', () => (scheduler.ready() ? [] : ['database']));
  return null;
}

async function startApiService(context: Context): Promise<string> {
  const { loaded, bus, logger, stopper } = context;
  const { settings, runtime } = loaded;
  const store = await openReader(runtime);
  stopper.add(() => store.close());
  await watched(context, await store.reader.logId());
  const key = await masterKey(process.env['FERROLOG_MASTER_KEY'], runtime.home, systemChance);
  const { startApi } = await import('./doors/api');
  const api = await startApi({
    settings,
    bus,
    transport: transportBox(key, systemChance),
    prefix: runtime.busPrefix,
    readModel: store.readModel,
    reader: store.reader,
    liveness: store.liveness,
    clock: systemClock,
    chance: systemChance,
    logger,
    abortGiveUpMs: peerGiveUpMs(settings),
  }).catch(portTaken('FERROLOG_API_PORT'));
  stopper.add(() => api.stop());
  return api.url;
}

async function startSimulatorService(context: Context): Promise<string> {
  const { loaded, bus, logger, stopper } = context;
  const { startInspectorSimulator } = await import('./doors/inspector-simulator');
  const simulator = await startInspectorSimulator({
    settings: simulatorOptions(loaded, apiAddress(loaded)),
    bus,
    clock: systemClock,
    chance: systemChance,
    logger,
  }).catch(portTaken('FERROLOG_INSPECTOR_PORT'));
  stopper.add(() => simulator.stop());
  await tellReady(context, 'inspector-simulator', () => []);
  return simulator.url;
}
