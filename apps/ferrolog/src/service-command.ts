import type { Command } from 'commander';
import { loadSettings, SettingsError } from '@lib/adapters/settings-file';
import { serviceNames } from '@lib/contracts';
import type { ServiceName } from '@lib/contracts';
import { UsageError } from './command-line';
import { writePidFile } from './services/pid-file';
import { runService } from './services/run-service';
import { untilSignal } from './until-signal';
import { HOPELESS } from './up/supervisor';
import type { ReadyMessage } from './up/supervisor';

/** One service over NATS, as `up` and docker-compose.yml start it. */
export function addServiceCommand(root: Command): void {
  root
    .command('service')
    .argument('<name>', serviceNames.join(', '))
    .description('Run one service in the foreground until SIGTERM or Ctrl-C (NATS_URL is needed).')
    .action(async (name: string) => {
      if (!serviceNames.includes(name as ServiceName)) {
        throw new UsageError(`There is no service "${name}"; there are ${serviceNames.join(', ')}.`);
      }
      await runUntilSignal(name as ServiceName);
    });
}

async function runUntilSignal(name: ServiceName): Promise<void> {
  const stop = untilSignal();
  const started = await start(name, stop.now).catch((error: unknown) => {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof SettingsError ? HOPELESS : 1;
    return null;
  });
  if (!started) return;
  const message: ReadyMessage = { ready: true, url: started.url };
  process.send?.(message);
  await stop.asked;
  await started.stop();
  process.disconnect?.();
}

async function start(name: ServiceName, stop: () => void) {
  const loaded = loadSettings(process.env);
  const { natsUrl, home } = loaded.runtime;
  if (!natsUrl)
    throw new SettingsError(['NATS_URL is not set: a single service needs a broker to meet the others at.']);
  const removePidFile = writePidFile(home, name);
  try {
    const service = await runService(name, loaded, natsUrl, stop);
    return {
      url: service.url,
      stop: async () => {
        await service.stop();
        removePidFile();
      },
    };
  } catch (error) {
    removePidFile();
    throw error;
  }
}
