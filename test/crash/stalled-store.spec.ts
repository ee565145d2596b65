import { readFileSync, statSync, truncateSync } from 'node:fs';
import { openPostgresReader, openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import type { StoredLogReader } from '@lib/adapters/event-log-typeorm';
import { documentSchemas } from '@lib/contracts';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { compilerPath, HoldingProxy, SyncStall, type Held } from '@lib/testing/stalling-store';
import { Api, sleep, startStack, until, type Answer, type Settings, type Stack } from '../stack';
import { uuidsFrom } from './plan';

/** Real processes over a store that stops between write and sync: nothing is answered, and no append is halved. */
jest.setTimeout(240_000);

/** No sign of life of the conductor is to be the transaction that hangs. */
const SETTINGS: Settings = { conductor: { heartbeat_interval: '3600', heartbeat_timeout: '86400' } };
/** Longer than an answer takes, and shorter than the time after which the api gives up. */
const LISTEN_MS = 1_500;
const uuid = uuidsFrom(Date.now() % 2 ** 31);
const common = { schemas: documentSchemas, waitMs: 10_000 };

/** A creation on its way. */
class Creation {
  readonly uuid = uuid();
  readonly name = `stalled-${this.uuid}`;
  answer: Answer | null = null;
  private readonly answered: Promise<void>;

  constructor(api: Api) {
    const body = { uuid: this.uuid, name: this.name, driver: 'fake-hardware' };
    this.answered = api.send('POST', '/v1/nodes', body, 120_000).then(
      (answer) => void (this.answer = answer),
      // The api went down with the rest: no answer.
      () => undefined,
    );
  }

  async status(): Promise<number | undefined> {
    await this.answered;
    return this.answer?.status;
  }

  /** Types of its events, and whether a document shows it: all of an append, or nothing. */
  async stored({ reader, readModel }: StoredLogReader): Promise<[string[], boolean]> {
    const events = await reader.readStream(`node/${this.uuid}`, 0, 100);
    const documents = await readModel.get('node', [this.uuid]);
    return [events.map(({ type }) => type), documents.length > 0];
  }
}

const ALL = [['NodeEnrolled'], true];
const NOTHING = [[], false];

async function expectSilence(creation: Creation, api: Api): Promise<void> {
  await sleep(LISTEN_MS);
  expect(creation.answer).toBeNull();
  expect(await api.send('GET', `/v1/nodes/${creation.uuid}`)).toMatchObject({ status: 404 });
}

const compiler = compilerPath();
const describeWithCompiler = compiler === null ? describe.skip : describe;
if (compiler === null)
  process.stderr.write('Skipped: a sync that hangs: there is no C compiler (apt-get install gcc)\n');

describeWithCompiler('SQLite whose sync hangs', () => {
  let disk: SyncStall;
  let stack: Stack;
  let api: Api;

  beforeAll(async () => {
    disk = new SyncStall(compiler ?? '');
    stack = await startStack({ settings: SETTINGS, services: ['conductor', 'api'], env: disk.env });
    api = new Api(stack.apiUrl);
    await api.must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware', name: 'before' });
  });
  afterAll(async () => {
    disk.release();
    await stack.stop();
    disk.remove();
  });

  it('answers when it goes on, and not before', async () => {
    disk.stall();
    const creation = new Creation(api);
    await until('a sync that hangs', () => disk.reached());
    await expectSilence(creation, api);
    disk.release();
    expect(await creation.status()).toBe(201);
  });

  /** What is left of what was written and not synced when the power goes. */
  it.each([
    ['all', (_from: number, to: number) => to, ALL],
    ['half', (from: number, to: number) => Math.floor((from + to) / 2), NOTHING],
    ['nothing', (from: number, _to: number) => from, NOTHING],
  ] as const)('dies in the sync, %s of it is found again: one node, whole', async (_what, sizeOf, expected) => {
    const path = sqlitePath(stack.home);
    const log = `${path}-wal`;
    disk.stall();
    const before = statSync(log).size;
    const creation = new Creation(api);
    await until('the append in the log file', () => disk.reached() && readFileSync(log).includes(creation.name));
    await expectSilence(creation, api);
    await stack.kill('conductor', 'SIGKILL');
    // The api reads on; what it has in memory of the file must not outlive the power failure either.
    await stack.kill('api', 'SIGKILL');
    truncateSync(log, sizeOf(before, statSync(log).size));
    const reader = await openSqliteReader({ ...common, path });
    try {
      expect(await creation.stored(reader)).toEqual(expected);
    } finally {
      await reader.close();
    }
    disk.release();
    await stack.restart('conductor', 'api');
    const again = await api.send('POST', '/v1/nodes', {
      uuid: creation.uuid,
      name: creation.name,
      driver: 'fake-hardware',
    });
    expect(again.status).toBe(expected === ALL ? 409 : 201);
    expect((await api.events(creation.uuid)).map(({ type }) => type)).toEqual(['NodeEnrolled']);
  });
});

describeWithPostgres('PostgreSQL that is not heard of in a COMMIT', () => {
  let server: ScratchPostgres;
  let url: string;
  let proxy: HoldingProxy;
  let stack: Stack;
  let api: Api;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    proxy = await HoldingProxy.open(url);
    stack = await startStack({ settings: SETTINGS, services: ['conductor', 'api'], databaseUrl: proxy.url });
    api = new Api(stack.apiUrl);
  });
  afterAll(async () => {
    await stack.stop();
    await proxy.close();
    await server.stop();
  });

  it.each<readonly [Held, typeof ALL]>([
    ['commit', NOTHING],
    ['answer', ALL],
  ])('answers nothing while the %s is on its way; the client hears of one node, whole', async (held, expected) => {
    const creation = new Creation(api);
    await proxy.hold(held, creation.name);
    await sleep(LISTEN_MS);
    expect(creation.answer).toBeNull();
    await stack.kill('conductor', 'SIGKILL');
    const reader = await openPostgresReader({ ...common, url });
    try {
      expect(await creation.stored(reader)).toEqual(expected);
    } finally {
      await reader.close();
    }
    await stack.restart('conductor');
    // The api has sent the command again, under its id, and been told the recorded outcome or had it carried out.
    expect(await creation.status()).toBe(201);
    expect((await api.events(creation.uuid)).map(({ type }) => type)).toEqual(['NodeEnrolled']);
  });
});
