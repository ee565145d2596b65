import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const PYTHON = '/usr/bin/python3';
const SCRIPT = join(__dirname, 'introspection_client.py');
const PATIENCE_MS = 120_000;

type Answer = { readonly value: unknown } | { readonly refused: string; readonly kind: string };

/** Whether openstacksdk is installed here. */
export function sdkIsThere(): boolean {
  const imported = spawnSync(PYTHON, ['-c', 'import openstack.baremetal_introspection.v1._proxy'], {
    encoding: 'utf8',
  });
  return imported.status === 0;
}

/** One process of openstacksdk that calls an inspector. */
export class IntrospectionClient {
  /** Methods that were called. */
  readonly called = new Set<string>();
  private readonly child: ChildProcess;
  private readonly waiting: ((line: string) => void)[] = [];
  private rest = '';
  private errors = '';
  private readonly ended: Promise<never>;
  readonly methods: Promise<readonly string[]>;

  constructor(endpoint: string) {
    const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', HOME: '/nonexistent' };
    this.child = spawn(PYTHON, [SCRIPT, endpoint], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => this.heard(chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.ended = new Promise((_resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code) => reject(new Error(`openstacksdk ended with ${code}:\n${this.errors}`)));
    });
    this.ended.catch(() => undefined);
    this.methods = this.line().then((line) => (JSON.parse(line) as { methods: string[] }).methods);
    this.methods.catch(() => undefined);
  }

  async call(method: string, args: readonly unknown[] = [], kwargs: object = {}): Promise<Answer> {
    this.called.add(method);
    const line = this.line();
    this.child.stdin?.write(`${JSON.stringify({ method, args, kwargs })}\n`);
    return JSON.parse(await line) as Answer;
  }

  /** What a call brings; one that is refused is a mistake of the spec. */
  async value<T = Record<string, unknown>>(...asked: Parameters<IntrospectionClient['call']>): Promise<T> {
    const answer = await this.call(...asked);
    if ('refused' in answer) throw new Error(`${asked[0]}: ${answer.refused}`);
    return answer.value as T;
  }

  async stop(): Promise<void> {
    this.child.stdin?.end();
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.ended.catch(() => undefined);
    clearTimeout(late);
  }

  private line(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`openstacksdk gave no answer:\n${this.errors}`)), PATIENCE_MS);
    });
    const heard = new Promise<string>((resolve) => this.waiting.push(resolve));
    return Promise.race([heard, late, this.ended]).finally(() => clearTimeout(timer));
  }

  private heard(text: string): void {
    const lines = `${this.rest}${text}`.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.waiting.shift()?.(line);
  }
}
