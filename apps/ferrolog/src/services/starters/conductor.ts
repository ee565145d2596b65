import { agentCertificates } from '@lib/adapters/agent-certificates';
import { logFiles } from '@lib/adapters/log-files';
import { checkMasterKey, masterKey, secretBox, transportBox } from '@lib/adapters/secret-box';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { startConductor } from '@app/conductor';
import { openHardware } from '../hardware';
import { certificatesFolder, ramdiskLogsFolder } from '../options';
import { publishFrom } from '../publishing';
import { databaseMissing } from '../serve-ready';
import { openStore } from '../store';
import { tellReady, watched } from './context';
import type { StartService } from './context';

export const start: StartService = async (context) => {
  const { loaded, bus, logger, stopper, natsUrl } = context;
  const { settings, runtime } = loaded;
  const store = await openStore(runtime, logger);
  stopper.add(() => store.close());
  const logId = await store.log.logId();
  await watched(context, logId);
  const publishing = await publishFrom(store.log, logId, { ...context, url: natsUrl });
  const key = await masterKey(process.env['FERROLOG_MASTER_KEY'], runtime.home, systemChance);
  await checkMasterKey(key, store.keyStore, systemChance);
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
    logShelf: logFiles(ramdiskLogsFolder(loaded)),
    clock: systemClock,
    chance: systemChance,
    logger,
    soleWriter: store.soleWriter,
  });
  stopper.add(() => conductor.stop());
  const missing = () => databaseMissing(() => store.log.head());
  await tellReady(context, 'conductor', missing, () => publishing.troubled());
  return null;
};
