import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { clientMissing, OpenstackShell } from '../e2e/openstack/shell';

/** The group that holds every command of introspection, in the words of the client's own `command list`. */
const GROUP = 'openstack.baremetal_introspection.v1';
const SCRIPT = join(__dirname, 'inspector-client');

/** The folder with the commands' modules; null where they were not brought. */
function modules(): string | null {
  const { status, stdout } = spawnSync(SCRIPT, ['--where'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Why the commands cannot be typed here; null when they can. */
export function commandsMissing(): string | null {
  return clientMissing() ?? (modules() === null ? 'its commands are not here (test/peers/inspector-client)' : null);
}

/** `openstack baremetal introspection ...`, typed at an inspector. */
export class IntrospectionCommands {
  private readonly shell: OpenstackShell;

  constructor(endpoint: string) {
    this.shell = new OpenstackShell(endpoint, { PYTHONPATH: modules() ?? '', PYTHONDONTWRITEBYTECODE: '1' });
  }

  /** What it printed; a word on the error output is a mistake of the spec. */
  done(...words: string[]): Promise<string> {
    return this.shell.done('introspection', ...words);
  }

  json<T = Record<string, unknown>>(...words: string[]): Promise<T> {
    return this.shell.json<T>('introspection', ...words);
  }

  /** What it said against it. */
  refused(...words: string[]): Promise<string> {
    return this.shell.refused('introspection', ...words);
  }

  /** A file that commands may name; answers its path. */
  file(name: string, text: string): string {
    return this.shell.file(name, text);
  }

  /** The commands that there are and that were not typed. */
  async untyped(): Promise<readonly string[]> {
    const typed = this.shell.asked.map((words) => `${words} `);
    return (await this.shell.commands(GROUP)).filter((name) => !typed.some((words) => words.startsWith(`${name} `)));
  }

  close(): Promise<void> {
    return this.shell.close();
  }
}
