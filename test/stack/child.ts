import { spawn, type ChildProcess } from 'node:child_process';

const LINES_KEPT = 400;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** A process that a test started: its last lines of output, its end, and ways to end it. */
export class Child {
  readonly name: string;
  readonly exited: Promise<Exit>;
  exit: Exit | null = null;
  private readonly process: ChildProcess;
  private readonly lines: string[] = [];

  constructor({ name, command, args, env, cwd }: ChildOptions) {
    this.name = name;
    this.process = spawn(command, [...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.process.stdout?.on('data', (chunk: Buffer) => this.keep(chunk));
    this.process.stderr?.on('data', (chunk: Buffer) => this.keep(chunk));
    this.exited = new Promise((resolve) => {
      this.process.once('error', (error) => {
        this.lines.push(`cannot start ${command}: ${error.message}`);
        this.exit ??= { code: 127, signal: null };
        resolve(this.exit);
      });
      this.process.once('exit', (code, signal) => {
        this.exit ??= { code, signal };
        resolve(this.exit);
      });
    });
  }

  get pid(): number {
    return this.process.pid ?? -1;
  }

  get running(): boolean {
    return this.exit === null;
  }

  kill(signal: NodeJS.Signals): void {
    if (this.running) this.process.kill(signal);
  }

  /** SIGTERM, then SIGKILL when it has not ended in time. Says which of the two ended it. */
  async stop(graceMs: number): Promise<'ended' | 'killed'> {
    this.kill('SIGCONT');
    this.kill('SIGTERM');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), graceMs)));
    const first = await Promise.race([this.exited, late]);
    clearTimeout(timer);
    if (first !== 'late') return 'ended';
    this.kill('SIGKILL');
    await this.exited;
    return 'killed';
  }

  /** Lets go of the pipes: a grandchild that still holds their other end must not keep the tests from ending. */
  release(): void {
    this.process.stdout?.destroy();
    this.process.stderr?.destroy();
  }

  log(): string {
    return this.lines.join('\n');
  }

  private keep(chunk: Buffer): void {
    this.lines.push(
      ...chunk
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== ''),
    );
    if (this.lines.length > LINES_KEPT) this.lines.splice(0, this.lines.length - LINES_KEPT);
  }
}
