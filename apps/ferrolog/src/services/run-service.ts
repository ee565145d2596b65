import { pinoLogger } from '@lib/adapters/logger-pino';
import { NatsMessageBus } from '@lib/adapters/message-bus-nats';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import type { ServiceName } from '@lib/contracts';
import type { StartService } from './starters/context';
import { Stopper } from './stopper';

export interface RunningService {
  stop(): Promise<void>;
  /** Where it listens, for those that do. */
  readonly url: string | null;
}

const starters: Readonly<Record<ServiceName, () => Promise<{ readonly start: StartService }>>> = {
  conductor: () => import('./starters/conductor'),
  scheduler: () => import('./starters/scheduler'),
  api: () => import('./starters/api'),
  'inspector-simulator': () => import('./starters/inspector-simulator'),
};

/**
 * One service in this process, over NATS; of the starters only its own is loaded, with what that one needs, since four
 * processes that load all of it hold a quarter more memory. Rejects with a sentence when it cannot start.
 */
export async function runService(
  name: ServiceName,
  loaded: LoadedSettings,
  natsUrl: string,
  onForeign: (sentence: string) => void,
): Promise<RunningService> {
  const logger = pinoLogger({ service: name, level: loaded.runtime.logLevel });
  for (const warning of loaded.warnings) logger.warn({}, warning);
  const stopper = new Stopper();
  try {
    const bus = await NatsMessageBus.connect({
      url: natsUrl,
      name: `ferrolog ${name}`,
      onFault: (error) => logger.error({ reason: String(error) }, 'the message bus reports a fault'),
    });
    stopper.add(() => bus.close());
    const { start } = await starters[name]();
    const url = await start({ loaded, bus, natsUrl, logger, stopper, onForeign });
    return { url, stop: () => stopper.stop() };
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}
