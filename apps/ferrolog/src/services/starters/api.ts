import { masterKey, transportBox } from '@lib/adapters/secret-box';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { startApi } from '@app/api';
import { peerGiveUpMs } from '../options';
import { portTaken, portVariables } from '../port-taken';
import { awaitReader } from '../store';
import { watched } from './context';
import type { StartService } from './context';

export const start: StartService = async (context) => {
  const { loaded, bus, logger, stopper } = context;
  const { settings, runtime } = loaded;
  const store = await awaitReader(runtime, logger);
  stopper.add(() => store.close());
  await watched(context, await store.reader.logId());
  const key = await masterKey(process.env['FERROLOG_MASTER_KEY'], runtime.home, systemChance);
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
  }).catch(portTaken(portVariables.api));
  stopper.add(() => api.stop());
  return api.url;
};
