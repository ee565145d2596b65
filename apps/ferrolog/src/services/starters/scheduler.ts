import { systemClock } from '@lib/adapters/system-clock';
import { startScheduler } from '@app/scheduler';
import { awaitReader } from '../store';
import { tellReady, watched } from './context';
import type { StartService } from './context';

export const start: StartService = async (context) => {
  const { loaded, bus, logger, stopper } = context;
  const store = await awaitReader(loaded.runtime, logger);
  stopper.add(() => store.close());
  const logId = await store.reader.logId();
  await watched(context, logId);
  const { busPrefix: prefix } = loaded.runtime;
  const { readModel } = store;
  const scheduler = await startScheduler({ bus, prefix, readModel, logId, clock: systemClock, logger });
  stopper.add(() => scheduler.stop());
  await tellReady(context, 'scheduler', () => (scheduler.ready() ? [] : ['database']));
  return null;
};
