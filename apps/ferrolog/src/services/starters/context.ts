import type { LoadedSettings } from '@lib/adapters/settings-file';
import { systemClock } from '@lib/adapters/system-clock';
import type { ServiceName } from '@lib/contracts';
import type { Logger, MessageBus } from '@lib/ports';
import { watchPeers } from '../peers';
import { serveReady } from '../serve-ready';
import type { Stopper } from '../stopper';

/** What each service is started with. */
export interface Context {
  readonly loaded: LoadedSettings;
  readonly bus: MessageBus;
  readonly natsUrl: string;
  readonly logger: Logger;
  readonly stopper: Stopper;
  /** The peers work on another log: the service has to stop. */
  readonly onForeign: (sentence: string) => void;
}

/** Starts one service, and answers where it listens if it does. What it opened goes to the stopper, also when it rejects. */
export type StartService = (context: Context) => Promise<string | null>;

export async function watched({ bus, loaded, logger, stopper, onForeign }: Context, logId: string): Promise<void> {
  const { busPrefix: prefix } = loaded.runtime;
  stopper.add(await watchPeers({ bus, prefix, clock: systemClock, logger }, logId, onForeign));
}

export async function tellReady(
  { bus, loaded, logger, stopper }: Context,
  name: ServiceName,
  missing: () => Promise<readonly string[]> | readonly string[],
  troubled?: () => readonly string[],
): Promise<void> {
  stopper.add(await serveReady(bus, loaded.runtime.busPrefix, name, missing, logger, troubled));
}
