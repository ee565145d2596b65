import { join } from 'node:path';
import { agentCertificates } from '@lib/adapters/agent-certificates';
import { logFiles } from '@lib/adapters/log-files';
import { pinoLogger } from '@lib/adapters/logger-pino';
import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { checkMasterKey, masterKey, secretBox, transportBox } from '@lib/adapters/secret-box';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { startApi } from '@app/api';
import { startConductor } from '@app/conductor';
import { startInspectorSimulator } from '@app/inspector-simulator';
import { startScheduler } from '@app/scheduler';
import { apiAddress } from '../services/addresses';
import { openHardware } from '../services/hardware';
import { certificatesFolder, peerGiveUpMs, ramdiskLogsFolder, simulatorOptions } from '../services/options';
import { writePidFile } from '../services/pid-file';
import { portTaken, portVariables } from '../services/port-taken';
import { databaseMissing, serveReady } from '../services/serve-ready';
import { Stopper } from '../services/stopper';
import { openStore } from '../services/store';
import type { RunningStack } from './running-stack';

/** The smallest edge site: all services in this process, over the in-process bus and SQLite. No events leave it. */
export async function runSingle(loaded: LoadedSettings, logFolder?: string): Promise<RunningStack> {
  const stopper = new Stopper();
  try {
    return await start(loaded, stopper, logFolder);
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

async function start(loaded: LoadedSettings, stopper: Stopper, logFolder?: string): Promise<RunningStack> {
  const { settings, runtime } = loaded;
  const { busPrefix: prefix, services } = runtime;
  const clock = systemClock;
  const chance = systemChance;
  const file = logFolder && join(logFolder, 'single.log');
  const logger = pinoLogger({ service: 'single', file, level: runtime.logLevel });
  for (const warning of loaded.warnings) logger.warn({}, warning);
  if (settings.DEFAULT.notification_level !== null)
    logger.warn(
      {},
      '[DEFAULT] notification_level has no effect with --single: there is no broker to send notifications to',
    );
  const store = await openStore(runtime, logger);
  stopper.add(() => store.close());
  stopper.add(writePidFile(runtime.home, 'single'));
  const hub = new MemoryBusHub(clock);
  const openBus = () => {
    const bus = hub.open();
    stopper.add(() => bus.close());
    return bus;
  };
  const key = await masterKey(process.env['FERROLOG_MASTER_KEY'], runtime.home, chance);
  await checkMasterKey(key, store.keyStore, chance);
  const transport = transportBox(key, chance);
  if (services.includes('conductor')) {
    const bus = openBus();
    const hardware = await openHardware(loaded, bus, logger, stopper);
    const box = secretBox({ masterKey: key, keys: store.keyStore, chance });
    const conductor = await startConductor({
      ...store,
      settings,
      prefix,
      bus,
      box,
      transport,
      ...hardware,
      certificates: agentCertificates(certificatesFolder(loaded)),
      logShelf: logFiles(ramdiskLogsFolder(loaded)),
      clock,
      chance,
      logger,
      soleWriter: store.soleWriter,
    });
    stopper.add(() => conductor.stop());
  }
  if (services.includes('scheduler')) {
    const logId = await store.log.logId();
    const scheduler = await startScheduler({
      bus: openBus(),
      prefix,
      readModel: store.readModel,
      logId,
      clock,
      logger,
    });
    stopper.add(() => scheduler.stop());
  }
  const api = services.includes('api')
    ? await startSingleApi(loaded, store, openBus(), transport, stopper, file)
    : null;
  const simulator = services.includes('inspector-simulator')
    ? await startInspectorSimulator({
        settings: simulatorOptions(loaded, api ?? apiAddress(loaded)),
        bus: openBus(),
        clock,
        chance,
        logger,
      }).catch(portTaken(portVariables['inspector-simulator']))
    : null;
  if (simulator) stopper.add(() => simulator.stop());
  const inDatabase = () => databaseMissing(() => store.log.head());
  for (const name of services) stopper.add(await serveReady(openBus(), prefix, name, inDatabase, logger));
  return { apiUrl: api, inspectorUrl: simulator?.url ?? null, natsUrl: null, stop: () => stopper.stop() };
}

async function startSingleApi(
  { settings, runtime }: LoadedSettings,
  store: Awaited<ReturnType<typeof openStore>>,
  bus: Parameters<typeof startApi>[0]['bus'],
  transport: Parameters<typeof startApi>[0]['transport'],
  stopper: Stopper,
  file: string | undefined,
): Promise<string> {
  const api = await startApi({
    settings,
    bus,
    transport,
    prefix: runtime.busPrefix,
    readModel: store.readModel,
    reader: store.log,
    liveness: store.liveness,
    clock: systemClock,
    chance: systemChance,
    logger: pinoLogger({ service: 'api', file, level: runtime.logLevel }),
    abortGiveUpMs: peerGiveUpMs(settings),
  }).catch(portTaken(portVariables.api));
  stopper.add(() => api.stop());
  return api.url;
}
