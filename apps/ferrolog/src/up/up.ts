import { join } from 'node:path';
import { loadSettings } from '@lib/adapters/settings-file';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import type { ServiceName } from '@lib/contracts';
import { prepareHome } from '../services/home';
import { Stopper } from '../services/stopper';
import { startBroker } from './broker';
import { freePort } from './free-port';
import { requireFreePorts } from './free-ports';
import type { RunningStack } from './running-stack';
import { Supervised } from './supervisor';

export interface UpOptions {
  readonly single: boolean;
  /** Entry file of the command line, which the services are forked from. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** The wish to stop: a start that is still under way then ends, and `up` rejects. */
  readonly asked?: Promise<void>;
  /** The services' logs go to `<service>.log` in this folder, which exists, instead of to standard error. */
  readonly logFolder?: string;
}

/** The conductor makes the log, so it comes first; the simulator needs the api. */
const order: readonly ServiceName[] = ['conductor', 'scheduler', 'api', 'inspector-simulator'];

/** The whole stack; resolves when every service serves. */
export async function up(options: UpOptions): Promise<RunningStack> {
  const loaded = loadSettings(options.env);
  prepareHome(loaded.runtime.home);
  if (!options.single) return separate(loaded, options);
  // Loads all services, which no other command needs in its own process.
  const { runSingle } = await import('./single');
  return runSingle(loaded, options.logFolder);
}

async function separate(loaded: LoadedSettings, options: UpOptions): Promise<RunningStack> {
  const { runtime } = loaded;
  const { entry, say, logFolder } = options;
  const stopper = new Stopper();
  let isUp = false;
  let isAsked = false;
  let onGivenUp: (sentence: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => (onGivenUp = resolve));
  void options.asked?.then(() => {
    isAsked = true;
    return isUp ? undefined : stopper.stop();
  });
  // A service that is started now would look for a broker that has been stopped.
  const goOn = (): void => {
    if (isAsked) throw new Error('Interrupted.');
  };
  try {
    await requireFreePorts(loaded);
    const ports = await fixedPorts(runtime.ports);
    const natsUrl = runtime.natsUrl ?? (await ownBroker(runtime.home, stopper, say));
    const urls = new Map<ServiceName, string | null>();
    for (const name of order.filter((one) => runtime.services.includes(one))) {
      goOn();
      const env = { ...options.env, ...ports, NATS_URL: natsUrl, FERROLOG_HOME: runtime.home };
      const logFile = logFolder && join(logFolder, `${name}.log`);
      const service = new Supervised({ name, entry, env, say, logFile, onGivenUp });
      stopper.add(() => service.stop());
      urls.set(name, await service.start());
    }
    goOn();
    isUp = true;
    return {
      apiUrl: urls.get('api') ?? null,
      inspectorUrl: urls.get('inspector-simulator') ?? null,
      natsUrl,
      failed,
      stop: () => stopper.stop(),
    };
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

/** A free port is chosen once: the services must find each other, also after one of them was started again. */
async function fixedPorts({ api, inspector }: LoadedSettings['runtime']['ports']): Promise<Record<string, string>> {
  return {
    FERROLOG_API_PORT: String(api || (await freePort())),
    FERROLOG_INSPECTOR_PORT: String(inspector || (await freePort())),
  };
}

async function ownBroker(home: string, stopper: Stopper, say: (line: string) => void): Promise<string> {
  const broker = await startBroker(home, say);
  stopper.add(() => broker.stop());
  return broker.url;
}
