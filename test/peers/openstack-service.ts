import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Child, Hopeless, httpCall, toIni, until, type Settings } from '../stack';
import { Guard } from '../stack/guard';

/** The real services run from Debian's packages: configured by their own options, nothing of them changed or read. */

const START_MS = 120_000;
const STOP_GRACE_MS = 10_000;

/** `describe` where all programs are there, else one that skips and says which package is missing. */
export function describeWith(
  peer: string,
  programs: Readonly<Record<string, string>>,
): typeof describe | jest.Describe {
  const missing = Object.entries(programs).filter(([program]) => !existsSync(program));
  if (missing.length === 0) return describe;
  const packages = missing.map(([, name]) => name).join(' ');
  process.stdout.write(`SKIPPED ${peer}: not installed (apt-get install --no-install-recommends ${packages})\n`);
  return describe.skip;
}

/** A folder with the configuration of one real service, and its processes; all is gone after `stop`. */
export class OpenstackService {
  private readonly folder = mkdtempSync(join(tmpdir(), 'ferrolog-peer-'));
  private readonly guard = new Guard(this.folder);
  private readonly children = new Map<string, Child>();
  private readonly config = join(this.folder, 'peer.conf');

  /** `settings` are given the folder, for the database and what else the service writes. */
  constructor(settings: (folder: string) => Settings) {
    mkdirSync(join(this.folder, 'home'));
    writeFileSync(this.config, toIni(settings(this.folder)));
  }

  /** Runs a command of the service to its end. */
  async run(program: string, ...args: string[]): Promise<void> {
    const command = promisify(execFile);
    await command(program, ['--config-file', this.config, ...args], { ...this.surroundings(), timeout: START_MS });
  }

  /** Starts a process of the service; resolves when `url` answers. */
  async start(program: string, url: string): Promise<void> {
    const args = ['--config-file', this.config];
    const child = new Child({ name: program, command: program, args, ...this.surroundings() });
    this.guard.watch(child.pid);
    this.children.set(program, child);
    const answers = async (): Promise<boolean> => {
      if (!child.running) throw new Hopeless(`${program} ended:\n${child.log()}`);
      return (await httpCall(url, { method: 'GET', path: '', timeoutMs: 5000 })).status > 0;
    };
    await until(`${program} at ${url}`, answers, { timeoutMs: START_MS, everyMs: 200 });
  }

  async kill(program: string): Promise<void> {
    const child = this.children.get(program);
    child?.kill('SIGKILL');
    await child?.exited;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.children.values()].map((child) => child.stop(STOP_GRACE_MS)));
    await this.guard.fire();
    for (const child of this.children.values()) child.release();
  }

  /** The last lines of every process, for a test that failed. */
  logs(): string {
    return [...this.children.values()].map((child) => `--- ${child.name}\n${child.log()}`).join('\n');
  }

  private surroundings(): { readonly env: NodeJS.ProcessEnv; readonly cwd: string } {
    const env = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: join(this.folder, 'home'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    return { env, cwd: this.folder };
  }
}
