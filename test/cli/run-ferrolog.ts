import { type ChildProcess, spawn } from 'node:child_process';
import { MAIN, REPOSITORY } from '../stack';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the compiled command line, without the settings of whoever runs the tests. */
export class Ferrolog {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ran>;
  private readonly child: ChildProcess;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const others = Object.entries(process.env).filter(([name]) => !/^(FERROLOG_|NATS_URL$|DATABASE_URL$)/.test(name));
    this.child = spawn(process.execPath, [MAIN, ...args], {
      cwd: REPOSITORY,
      env: { ...Object.fromEntries(others), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  /** -1 when it could not be started. */
  get pid(): number {
    return this.child.pid ?? -1;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

export const ferrolog = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  new Ferrolog(args, env).ended;

/** The one JSON document on standard output. */
export const jsonOf = <T>({ code, stdout, stderr }: Ran): T => {
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw new Error(`no JSON document (exit code ${code}):\n${stdout}\n${stderr}`);
  }
};
