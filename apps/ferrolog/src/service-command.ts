import type { Command } from 'commander';
import { loadSettings, SettingsError } from '@lib/adapters/settings-file';
import { serviceNames } from '@lib/contracts';
import type { ServiceName } from '@lib/contracts';
import { UsageError } from './command-line';
import { prepareHome } from './services/home';
import { writePidFile } from './services/pid-file';
import { runService } from './services/run-service';
import { untilSignal } from './until-signal';
import { HOPELESS } from './up/supervisor';
import type { ReadyMessage } from './up/supervisor';

const HELP = `
Examples:
  NATS_URL=nats://127.0.0.1:4222 ferrolog service conductor
  NATS_URL=nats://127.0.0.1:4222 FERROLOG_API_PORT=6386 ferrolog service api
It writes its log as lines of JSON to standard output, and its process id to run/<name>.pid under FERROLOG_HOME.
Exit codes: 0 stopped, 1 failed and may be started again, 2 the command line is wrong, ${HOPELESS} the settings cannot work.`;

/** One service over NATS, as `up` and docker-compose.yml start it. */
export function addServiceCommand(root: Command): void {
  root
    .command('service')
    .argument('<name>', serviceNames.join(', '))
    .description('Run one service in the foreground until SIGTERM or Ctrl-C (NATS_URL is needed).')
    .addHelpText('after', HELP)
    .action(async (name: string) => {
      if (!serviceNames.includes(name as ServiceName)) {
        throw new UsageError(`There is no service "${name}"; there are ${serviceNames.join(', ')}.`);
      }
      await runUntilSignal(name as ServiceName);
    });
}

async function runUntilSignal(name: ServiceName): Promise<void> {
  const stop = untilSignal();
  const served = endUnlessServed(stop.asked);
  const started = await start(name, () => giveUp(stop.now)).catch((error: unknown) => {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof SettingsError ? HOPELESS : 1;
    return null;
  });
  served();
  if (!started) {
    // Whoever forked us waits for our end, and an open channel would keep us here.
    if (process.connected) process.disconnect();
    return;
  }
  const message: ReadyMessage = { ready: true, url: started.url };
  process.send?.(message);
  await stop.asked;
  await started.stop();
  if (process.connected) process.disconnect();
}

/** To be started again would lead to the same end. */
function giveUp(stop: () => void): void {
  process.exitCode = HOPELESS;
  stop();
}

const GRACE_MS = 3_000;

/**
 * A service that is asked to stop while it still starts, and perhaps waits for a database, ends soon: nothing was promised
 * to anybody yet, and the log bears a kill at any moment. Returns what calls this off.
 */
function endUnlessServed(asked: Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  void asked.then(() => {
    if (!isOver) timer = setTimeout(() => process.exit(1), GRACE_MS);
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function start(name: ServiceName, stop: () => void) {
  const loaded = loadSettings(process.env);
  const { natsUrl, home } = loaded.runtime;
  if (!natsUrl)
    throw new SettingsError(['NATS_URL is not set: a single service needs a broker to meet the others at.']);
  prepareHome(home);
  const service = await runService(name, loaded, natsUrl, stop);
  // Not before: another conductor's file is not ours to replace until the log is ours.
  const removePidFile = writePidFile(home, name);
  return {
    url: service.url,
    stop: async () => {
      await service.stop();
      removePidFile();
    },
  };
}
