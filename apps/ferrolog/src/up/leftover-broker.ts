/** The broker outlives a stack that is killed, and two brokers must never write one JetStream store. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 50;
const END_MS_MAX = 10_000;

const pidFile = (home: string): string => join(home, 'run', 'nats-server.pid');

/** Parent and child, so that a later start knows whose broker it meets. */
export function noteBroker(home: string, pid: number): void {
  mkdirSync(join(home, 'run'), { recursive: true });
  writeFileSync(pidFile(home), `${pid} ${process.pid}\n`);
}

export const forgetBroker = (home: string): void => rmSync(pidFile(home), { force: true });

/**
 * Ends the broker that a killed stack left on this store. Rejects with one sentence when its stack is alive, or when it
 * does not end.
 */
export async function endLeftover(home: string, store: string): Promise<void> {
  const [broker = 0, parent = 0] = noted(home);
  if (!isBrokerOf(broker, store)) return;
  if (isAlive(parent)) {
    throw new Error(
      `Another stack runs on ${home} (process ${parent}); stop it first, or choose another FERROLOG_HOME.`,
    );
  }
  process.kill(broker, 'SIGTERM');
  for (let waitedMs = 0; isBrokerOf(broker, store); waitedMs += STEP_MS) {
    if (waitedMs > END_MS_MAX)
      throw new Error(`A broker of an earlier stack (process ${broker}) does not end; stop it.`);
    await pause(STEP_MS);
  }
}

function noted(home: string): readonly number[] {
  if (!existsSync(pidFile(home))) return [];
  return readFileSync(pidFile(home), 'utf8').trim().split(' ').map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** By its command line, since its number may belong to somebody else by now. Where there is no /proc, nothing is ended. */
function isBrokerOf(pid: number, store: string): boolean {
  try {
    return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(store);
  } catch {
    return false;
  }
}
