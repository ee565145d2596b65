import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { systemClock } from '@lib/adapters/system-clock';
import { endLeftover, forgetBroker, noteBroker } from './leftover-broker';
import { freePort } from './free-port';

export interface OwnBroker {
  readonly url: string;
  stop(): Promise<void>;
}

const STOP_MS_MAX = 5000;

/** The broker's program: on the PATH, or where Debian puts it. */
export function brokerProgram(env: NodeJS.ProcessEnv): string | null {
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'nats-server')).find((path) => existsSync(path)) ?? null;
}

export const NO_BROKER =
  'There is no message broker: set NATS_URL, or install nats-server (Debian: apt-get install nats-server), or start with --single.';

/** A broker of the stack's own on a free port, its JetStream store under the home; started again when it dies. */
export async function startBroker(home: string, say: (line: string) => void): Promise<OwnBroker> {
  const program = brokerProgram(process.env);
  if (!program) throw new Error(NO_BROKER);
  const store = join(home, 'jetstream');
  mkdirSync(store, { recursive: true });
  await endLeftover(home, store);
  const port = await freePort();
  let stopping = false;
  const launch = () => {
    const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store];
    // Out of the terminal's group: at Ctrl-C it has to outlive the services, which stop over it.
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    if (child.pid !== undefined) noteBroker(home, child.pid);
    child.on('exit', (code, signal) => {
      if (stopping) return;
      say(`the broker ended (${code ?? signal}); starting it again`);
      systemClock.after(500, () => {
        if (!stopping) running = launch();
      });
    });
    return child;
  };
  let running = launch();
  return {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      stopping = true;
      const child = running;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.on('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      await ended;
      clearTimeout(timer);
      forgetBroker(home);
    },
  };
}
