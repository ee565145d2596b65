import { loadSettings } from '@lib/adapters/settings-file';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import type { ServiceName } from '@lib/contracts';
import { Stopper } from '../services/stopper';
import { startBroker } from './broker';
import type { RunningStack } from './running-stack';
import { runSingle } from './single';
import { Supervised } from './supervisor';

export interface UpOptions {
  readonly single: boolean;
  /** Entry file of the command line, which the services are forked from. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

/** The conductor makes the log, so it comes first; the simulator needs the api. */
const order: readonly ServiceName[] = ['conductor', 'scheduler', 'api', 'inspector-simulator'];

/** The whole stack; resolves when every service serves. */
export async function up(options: UpOptions): Promise<RunningStack> {
  const loaded = loadSettings(options.env);
  return options.single ? runSingle(loaded) : separate(loaded, options);
}

async function separate({ runtime }: LoadedSettings, options: UpOptions): Promise<RunningStack> {
  const stopper = new Stopper();
  try {
    const natsUrl = runtime.natsUrl ?? (await ownBroker(runtime.home, stopper, options.say));
    const urls = new Map<ServiceName, string | null>();
    for (const name of order.filter((one) => runtime.services.includes(one))) {
      const env = { ...options.env, NATS_URL: natsUrl, FERROLOG_HOME: runtime.home };
      const service = new Supervised({ name, entry: options.entry, env, say: options.say });
      stopper.add(() => service.stop());
      urls.set(name, await service.start());
    }
    return {
      apiUrl: urls.get('api') ?? null,
      inspectorUrl: urls.get('inspector-simulator') ?? null,
      natsUrl,
      stop: () => stopper.stop(),
    };
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

async function ownBroker(home: string, stopper: Stopper, say: (line: string) => void): Promise<string> {
  const broker = await startBroker(home, say);
  stopper.add(() => broker.stop());
  return broker.url;
}
