import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the client said to one command. It ends none of them with a status of its own: a failure is what stands in `stderr`. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

const PATIENCE_MS = 120_000;
const SEPARATOR = '--- said ';

/** Why the client cannot be driven here; null when it can. */
export function clientMissing(): string | null {
  const help = spawnSync('openstack', ['baremetal', 'node', 'abort', '--help'], { encoding: 'utf8' });
  if (help.error) return '`openstack` is not installed (apt-get install python3-openstackclient python3-ironicclient)';
  return help.status === 0 ? null : '`openstack` does not know `baremetal` (apt-get install python3-ironicclient)';
}

interface Waiting {
  readonly command: string;
  readonly mark: string;
  readonly heard: (said: Said) => void;
  readonly failed: (error: Error) => void;
}

/**
 * The client takes a line apart twice: first quotes are taken off, in which nothing is escaped, then the rest is split as a shell
 * does. A word with both kinds of quotes cannot be said.
 */
function quoted(word: string): string {
  if (/^[\w./:=@,-]+$/.test(word)) return word;
  const escaped = word === '' ? "''" : word.replaceAll(/[^\w./:=@,-]/gu, '\\$&');
  if (!word.includes('"')) return `"${escaped}"`;
  if (!word.includes("'")) return `'${escaped}'`;
  throw new Error(`the client's shell has no way to say ${word}`);
}

/**
 * One process of the field's own client that takes commands one after the other, as its interactive mode does: starting it costs two
 * seconds of computing, a command a fraction of one. Behind each command a script of ours marks both outputs.
 */
export class OpenstackShell {
  /** All that was asked, with the words `baremetal ...` in front. */
  readonly asked: string[] = [];
  private readonly home = mkdtempSync(join(tmpdir(), 'ferrolog-openstack-'));
  private readonly child: ChildProcess;
  private readonly queue: Waiting[] = [];
  private out = '';
  private err = '';
  private count = 0;

  /** `more` is added to what the client finds in its environment. */
  constructor(endpoint: string, more: Readonly<Record<string, string>> = {}) {
    const mark = join(this.home, 'mark');
    writeFileSync(mark, `#!/bin/sh\necho "${SEPARATOR}$1"\necho "${SEPARATOR}$1" >&2\n`);
    chmodSync(mark, 0o700);
    const env = {
      PATH: process.env['PATH'],
      HOME: this.home,
      PYTHONUNBUFFERED: '1',
      OS_AUTH_TYPE: 'none',
      OS_ENDPOINT: `${endpoint}/`,
      ...more,
    };
    this.child = spawn('openstack', [], { env, cwd: this.home, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => this.take('out', chunk));
    this.child.stderr?.on('data', (chunk: Buffer) => this.take('err', chunk));
    this.child.on('error', (error) => this.fail(error));
    this.child.on('close', (code) => this.fail(new Error(`openstack ended with ${code}`)));
  }

  /** A file that commands may name; answers its path. */
  file(name: string, text: string): string {
    const path = join(this.home, name);
    writeFileSync(path, text);
    return path;
  }

  say(...words: string[]): Promise<Said> {
    this.asked.push(['baremetal', ...words].join(' '));
    return this.sent(['baremetal', ...words]);
  }

  /** Every command that the client has for bare metal, or those of another group of commands, in order. */
  async commands(group = 'openstack.baremetal.v1'): Promise<string[]> {
    const { stdout } = await this.sent(['command', 'list', '--group', group, '-f', 'json']);
    return (JSON.parse(stdout) as { Commands: string[] }[]).flatMap(({ Commands }) => Commands).sort();
  }

  private sent(words: readonly string[]): Promise<Said> {
    const command = words.map(quoted).join(' ');
    this.count += 1;
    const mark = `${SEPARATOR}${this.count}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(new Error(`no answer to: ${command}\n${this.err}`)), PATIENCE_MS);
      const over = (): void => clearTimeout(timer);
      this.queue.push({
        command,
        mark,
        heard: (said) => (over(), resolve(said)),
        failed: (error) => (over(), reject(error)),
      });
      this.child.stdin?.write(`${command}\nshell ${join(this.home, 'mark')} ${this.count}\n`);
    });
  }

  /** What it printed; a word on the error output is a mistake of the spec. */
  async done(...words: string[]): Promise<string> {
    const { stdout, stderr } = await this.say(...words);
    if (stderr.trim() !== '') throw new Error(`openstack baremetal ${words.join(' ')}:\n${stderr}${stdout}`);
    return stdout;
  }

  async json<T = Record<string, unknown>>(...words: string[]): Promise<T> {
    return JSON.parse(await this.done(...words, '-f', 'json')) as T;
  }

  /** What it said against it. */
  async refused(...words: string[]): Promise<string> {
    const { stdout, stderr } = await this.say(...words);
    if (stderr.trim() === '') throw new Error(`openstack baremetal ${words.join(' ')} was not refused:\n${stdout}`);
    return stderr;
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.on('close', resolve));
      this.child.stdin?.end();
      const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(late);
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  private take(which: 'out' | 'err', chunk: Buffer): void {
    this[which] += chunk.toString();
    const [first] = this.queue;
    if (!first) return;
    const marks = [this.out, this.err].map((text) => text.indexOf(`${first.mark}\n`));
    if (marks.some((at) => at < 0)) return;
    const [out = 0, err = 0] = marks;
    this.queue.shift();
    first.heard({ stdout: this.out.slice(0, out), stderr: this.err.slice(0, err) });
    this.out = this.out.slice(out + first.mark.length + 1);
    this.err = this.err.slice(err + first.mark.length + 1);
  }

  private fail(error: Error): void {
    for (const { failed } of this.queue.splice(0)) failed(error);
  }
}
