import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsServerPath, startBroker } from '@lib/testing';
import { connect } from 'nats';
import { ensureBuilt, until } from '../stack';
import { Ferrolog, ferrolog, jsonOf, type Ran } from './run-ferrolog';

/** The demo as a person starts it: real processes, real time, and nothing left behind. */
jest.setTimeout(300_000);

interface Document {
  readonly ok: boolean;
  readonly single: boolean;
  readonly nats: string | null;
  readonly nodes: readonly {
    readonly name: string;
    readonly ending: string;
    readonly got: {
      readonly state: string;
      readonly error: string | null;
      readonly power: string;
      readonly inventory: boolean;
    };
    readonly abort: number | null;
    readonly callbacks: readonly { readonly status: number }[];
    readonly differences: readonly string[];
  }[];
}

let folder: string;
const env = (): NodeJS.ProcessEnv => ({ TMPDIR: folder });
const leftBehind = (): string[] => readdirSync(folder).filter((name) => name.startsWith('ferrolog-demo-'));
/** Pids of processes whose environment or command line names the folder. */
const processesOf = (marker: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false;
    try {
      return ['environ', 'cmdline'].some((file) => readFileSync(join('/proc', pid, file), 'utf8').includes(marker));
    } catch {
      return false;
    }
  });

beforeAll(ensureBuilt, 600_000);
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cli-demo-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const proveAllEndings = (ran: Ran): Document => {
  const document = jsonOf<Document>(ran);
  expect(document.nodes.filter(({ differences }) => differences.length > 0)).toEqual([]);
  expect({ code: ran.code, ok: document.ok }).toEqual({ code: 0, ok: true });
  const of = (ending: string) => document.nodes.filter((node) => node.ending === ending);
  for (const { got } of of('inspected'))
    expect(got).toEqual({ state: 'manageable', error: null, power: 'power off', inventory: true });
  for (const { got } of of('timed out')) {
    expect(got).toMatchObject({ state: 'inspect failed', power: 'power off', inventory: false });
    expect(got.error?.toLowerCase()).toContain('timeout reached');
  }
  for (const { got } of of('aborted')) {
    expect(got).toMatchObject({ state: 'inspect failed', inventory: false });
    expect(got.error?.toLowerCase()).toContain('aborted');
  }
  expect(of('failed by the ramdisk')[0]?.got.error).toContain('disk /dev/sda fails its self-test');
  expect(document.nodes.length).toBeGreaterThanOrEqual(12);
  expect(of('inspected').some(({ callbacks }) => callbacks.map(({ status }) => status).join() === '200,400')).toBe(
    true,
  );
  expect(of('aborted').some(({ callbacks }) => callbacks.map(({ status }) => status).join() === '400')).toBe(true);
  expect(document.nodes.some(({ abort, ending }) => abort === 500 && ending === 'inspected')).toBe(true);
  return document;
};

const proveCleanedUp = async (): Promise<void> => {
  expect(leftBehind()).toEqual([]);
  await until('every process of the demo is gone', () => processesOf(folder).length === 0);
};

describe('ferrolog demo', () => {
  it('ends every node as scripted in one process', async () => {
    expect(proveAllEndings(await ferrolog(['demo', '--single', '--json'], env())).single).toBe(true);
    await proveCleanedUp();
  });

  const withBroker = natsServerPath() === null ? it.skip : it;

  withBroker('ends every node as scripted over a broker of its own', async () => {
    const { single, nats } = proveAllEndings(await ferrolog(['demo', '--json'], env()));
    expect({ single, nats }).toEqual({ single: false, nats: expect.stringMatching(/^nats:/) });
    await proveCleanedUp();
  });

  withBroker('uses the broker of NATS_URL and leaves no stream on it', async () => {
    const broker = await startBroker();
    const connection = await connect({ servers: broker.url.replace('nats://', '') });
    try {
      const list = writeList({ nodes: [{ name: 'n.1', extra: { simulator: { script: 'succeed', after: 0.5 } } }] });
      const ran = await ferrolog(['demo', '--json', '--file', list], { ...env(), NATS_URL: broker.url });
      expect(jsonOf<Document>(ran)).toMatchObject({ ok: true, nats: broker.url });
      const streams = await (await connection.jetstreamManager()).streams.list().next();
      expect(streams.map(({ config }) => config.name)).toEqual([]);
    } finally {
      await connection.close();
      await broker.stop();
    }
  });

  it("plays somebody's own list, and says which node did not end as scripted", async () => {
    const nodes = [
      {
        name: 'good.1',
        driver: 'ipmi',
        ports: [{ address: '52:54:00:AB:00:01' }],
        extra: { simulator: { script: 'succeed', after: 0.5 } },
      },
      {
        name: 'twin',
        ports: [{ address: '52:54:00:AB:00:01' }],
        extra: { simulator: { script: 'succeed', after: 30 } },
      },
    ];
    const ran = await ferrolog(['demo', '--single', '--file', writeList({ nodes })], env());
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('1 of 2 nodes have another driver than fake-hardware: simulated, no BMC is contacted');
    expect(ran.stdout).toContain('1 of 2 nodes did not end as scripted');
    expect(ran.stdout).toMatch(/NOT AS SCRIPTED: refused: .*409/);
    const [logs] = /\S+\/logs/.exec(ran.stderr) ?? [];
    expect(existsSync(join(logs ?? '', 'single.log'))).toBe(true);
  });

  it('stops all that it started when it is interrupted', async () => {
    const demo = new Ferrolog(['demo'], env());
    await until('nodes are under inspection', () => demo.stdout.includes('→ inspect wait'), { timeoutMs: 90_000 });
    demo.kill('SIGINT');
    expect(await demo.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Interrupted.') });
    await proveCleanedUp();
  });

  it('keeps the stack with --keep until it is interrupted', async () => {
    const list = writeList({ nodes: [{ name: 'n.1', extra: { simulator: { script: 'succeed', after: 0.5 } } }] });
    const demo = new Ferrolog(['demo', '--single', '--keep', '--file', list], env());
    await until('the stack is handed over', () => demo.stdout.includes('goes on until Ctrl-C'), { timeoutMs: 90_000 });
    const [, api = ''] = /Bare Metal API +(\S+)/.exec(demo.stdout) ?? [];
    expect(jsonOf<{ events: unknown[] }>(await ferrolog(['events', 'n.1', '--api', api, '--json'])).events).not.toEqual(
      [],
    );
    demo.kill('SIGINT');
    expect((await demo.ended).code).toBe(0);
    await proveCleanedUp();
  });

  it('names a list that cannot be read, before it starts anything', async () => {
    const ran = await ferrolog(['demo', '--file', writeList({ nodes: [] })], env());
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('list.json is no node list: it holds no node'),
    });
  });
});

function writeList(document: object): string {
  const path = join(folder, 'list.json');
  writeFileSync(path, JSON.stringify(document));
  return path;
}
