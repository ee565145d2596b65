import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { ServiceName } from '@lib/contracts';
import { setTimeout as pause } from 'node:timers/promises';

export interface SupervisedOptions {
  readonly name: ServiceName;
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** Told once when a service that served is not started again. */
  readonly onGivenUp?: (sentence: string) => void;
  /** Where its output goes instead of ours. */
  readonly logFile?: string;
}

/** What a child tells once it serves. */
export interface ReadyMessage {
  readonly ready: true;
  readonly url: string | null;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 15_000;
/** A start may fail for a passing reason, but whoever started the stack wants to know soon. */
const FIRST_STARTS_MAX = 4;
/** A service that lived this long starts again without delay. */
const STEADY_MS = 30_000;
const STOP_MS_MAX = 65_000;
/** Exit code of a service that must not be started again: its settings or its place are wrong. */
export const HOPELESS = 78;

/** Keeps one service running: starts it again when it dies, with growing pauses. */
export class Supervised {
  private child: ChildProcess | null = null;
  private readonly stopped = new AbortController();
  private backoffMs = BACKOFF_MS_MIN;
  private life: Promise<void> = Promise.resolve();

  constructor(private readonly options: SupervisedOptions) {}

  /** Resolves with the first start's address, rejects when the service cannot start at all. */
  start(): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.life = this.live(resolve, reject);
    });
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    const { child } = this;
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      timer.unref();
      await this.life;
      clearTimeout(timer);
    }
    await this.life;
  }

  private async live(ready: (url: string | null) => void, failed: (error: Error) => void): Promise<void> {
    const { name, say, logFile } = this.options;
    const { signal } = this.stopped;
    let started = false;
    let starts = 0;
    while (!signal.aborted) {
      const since = performance.now();
      const end = await this.run((url) => {
        if (started) say(`${name} is back`);
        started = true;
        ready(url);
      });
      if (signal.aborted) break;
      starts += 1;
      if (end === HOPELESS || (!started && starts >= FIRST_STARTS_MAX)) {
        const reason = `its reason is ${logFile ? `in ${logFile}` : 'above'}`;
        if (started) {
          const sentence = `${name} can not go on and is not started again; ${reason}`;
          say(sentence);
          this.options.onGivenUp?.(sentence);
        }
        return failed(new Error(`${name} could not start; ${reason}`));
      }
      if (performance.now() - since > STEADY_MS) this.backoffMs = BACKOFF_MS_MIN;
      say(`${name} ended (${end}); starting it again in ${this.backoffMs} ms`);
      await pause(this.backoffMs, undefined, { ref: true, signal }).catch(() => undefined);
      this.backoffMs = Math.min(this.backoffMs * 2, BACKOFF_MS_MAX);
    }
    // Without effect when it served: then the promise is settled.
    failed(new Error(`${name} was stopped before it served`));
  }

  private run(ready: (url: string | null) => void): Promise<number | string> {
    const { name, entry, env, logFile } = this.options;
    const log = logFile === undefined ? null : openSync(logFile, 'a');
    const out = log ?? 'inherit';
    // Out of the terminal's group: Ctrl-C is for us, who stop the services in their order. One whose parent is gone stops itself.
    const child = fork(entry, ['service', name], { env, stdio: ['ignore', out, out, 'ipc'], detached: true });
    if (log !== null) closeSync(log);
    this.child = child;
    child.on('message', (message: ReadyMessage) => ready(message.url));
    return new Promise((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
  }
}
