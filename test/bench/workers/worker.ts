import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from '../../stack';

/** What a worker process can be asked; arguments and answers travel as JSON. */
export type Tasks = Readonly<Record<string, (order: never) => Promise<unknown>>>;

interface Ask {
  readonly id: number;
  readonly task: string;
  readonly order: unknown;
}

interface Told {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

const SCRIPT = join(REPOSITORY, 'scripts', 'bench.mjs');

/** A process of its own for what must not share a thread with what it measures or is measured beside. */
export class Worker {
  private readonly process: ChildProcess;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private last = 0;

  constructor(private readonly name: string) {
    this.process = fork(SCRIPT, [], {
      env: { ...process.env, BENCH_WORKER: name },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.process.on('message', (told: Told) => {
      const asked = this.waiting.get(told.id);
      this.waiting.delete(told.id);
      if (told.error === undefined) asked?.resolve(told.value);
      else asked?.reject(new Error(`${name}: ${told.error}`));
    });
    this.process.on('exit', (code, signal) => {
      for (const { reject } of this.waiting.values()) reject(new Error(`${name} ended: ${code ?? signal}`));
      this.waiting.clear();
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  ask<T>(task: string, order: unknown = null): Promise<T> {
    this.last += 1;
    const id = this.last;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.process.send({ id, task, order } satisfies Ask);
    });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => this.process.once('exit', () => resolve()));
    this.process.disconnect();
    const patience = setTimeout(() => this.process.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(patience);
  }
}

/** The worker's side: answers what it is asked until its parent lets go of it. */
export function serveTasks(tasks: Tasks): void {
  process.on('message', ({ id, task, order }: Ask) => {
    void (async () => {
      try {
        const run = tasks[task];
        if (run === undefined) throw new Error(`no task ${task}`);
        process.send?.({ id, value: await run(order as never) } satisfies Told);
      } catch (error) {
        process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    })();
  });
  process.on('disconnect', () => process.exit());
}
