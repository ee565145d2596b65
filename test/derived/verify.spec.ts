import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { eventDamages, rowDamages, type Damage } from './damages';
import { play, type Appended, type History } from './history';
import { dump, eventsOf, rebuilt, verified } from './looks';
import { postgresStore, sqliteStores, type Store } from './stores';

const SEED = 2;

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('the log of history %i', (seed) => {
  let history: History;
  beforeEach(async () => {
    history = await play(seed);
  });
  afterEach(() => history.end());

  it('is clean, and rebuilt it is the same', async () => {
    const { memory } = history.world;
    const rows = () => [
      ...['node', 'port', 'node_history', 'node_inventory', 'bmc_address'].map((kind) =>
        memory.store.documents.rows(kind).map(({ seq: _seq, ...row }) => row),
      ),
      memory.store.effects.rows(),
      new Map(memory.store.deadlines),
      new Map(memory.store.view.owners),
      new Map(memory.store.view.streams),
      new Map(memory.store.byCommand),
    ];
    const before = rows();
    expect(before.every((table) => ('size' in table ? table.size : table.length) > 0)).toBe(true);
    expect(await verified(memory)).toMatchObject({ found: [], events: await memory.log.head() });
    await rebuilt(memory);
    expect(rows()).toEqual(before);
    expect((await verified(memory)).found).toEqual([]);
  });
});

/** The same of every database; a server takes seconds for what a file does at once, so it meets fewer damages. */
function aStore(next: () => Promise<Store>, rows: readonly Damage[], events: readonly Damage[]): void {
  let store: Store;
  beforeEach(async () => {
    store = await next();
  });
  afterEach(() => store.remove());

  async function look<T>(work: (opened: Awaited<ReturnType<Store['open']>>) => Promise<T>): Promise<T> {
    const opened = await store.open();
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  }

  async function expectFound({ statements, found: wanted }: Damage): Promise<void> {
    await store.damage(...statements);
    const { found } = await look(verified);
    for (const [what, where] of wanted) {
      expect(found).toContainEqual(expect.objectContaining({ what, where: expect.stringMatching(begins(where)) }));
    }
  }

  it('is clean, and rebuilt it is the same', async () => {
    const before = await dump(store);
    expect((await look(verified)).found).toEqual([]);
    await look(rebuilt);
    expect(await dump(store)).toEqual(before);
    expect((await look(verified)).found).toEqual([]);
  });

  it.each(rows.map((damage) => [damage.name, damage] as const))('%s: found, and mended', async (_, damage) => {
    const [before, stored] = [await dump(store), await eventsOf(store)];
    await expectFound(damage);
    await look(rebuilt);
    expect((await look(verified)).found).toEqual([]);
    expect(withoutClaims(await dump(store))).toEqual(withoutClaims(before));
    expect(await eventsOf(store)).toEqual(stored);
  });

  it.each(events.map((damage) => [damage.name, damage] as const))('%s: found', async (_, damage) => {
    await expectFound(damage);
  });

  it('keeps the claims of effects', async () => {
    await look(({ leases }) => leases.claim('one', 1_000, 60_000, 10));
    const before = await store.query('SELECT stream_id, n, claim, owner, leased_until FROM effects');
    expect(before).toEqual([expect.objectContaining({ owner: 'one' })]);
    await look(rebuilt);
    expect(await store.query('SELECT stream_id, n, claim, owner, leased_until FROM effects')).toEqual(before);
  });

  it('is not rebuilt from events that cannot be folded, and nothing changes', async () => {
    await store.damage("UPDATE events SET data = '{' WHERE position = 3");
    const before = await dump(store);
    await expect(look(rebuilt)).rejects.toThrow(/version \d+: /);
    expect(await dump(store)).toEqual(before);
  });

  it('is not rebuilt when the log grows meanwhile, and nothing changes', async () => {
    const before = await dump(store);
    await look(async ({ derivedRebuild }) => {
      await derivedRebuild.begin();
      await expect(derivedRebuild.swap(1)).rejects.toThrow('The log has grown meanwhile');
    });
    expect(await dump(store)).toEqual(before);
  });
}

/** Damages that do not touch each other, done at once. */
function together(damages: readonly Damage[], names: RegExp): Damage {
  const chosen = damages.filter(({ name }) => names.test(name));
  return {
    name: chosen.map(({ name }) => name).join(', '),
    statements: chosen.flatMap(({ statements }) => statements),
    found: chosen.flatMap(({ found }) => found),
  };
}
const onServer =
  /port document removed|node_history removed|flag changed|never was|nobody asks|held|effect that is over|head of a stream behind|never given/;
const onEvents = /byte flipped|swapped|before its predecessor|blobs removed/;

/** A row that was lost took its claim with it. */
const withoutClaims = ({ effects = [], ...rest }: Record<string, unknown[]>) => ({
  ...rest,
  effects: effects.map((one) => ({ ...(one as object), claim: null, owner: null, leased_until: null })),
});

const begins = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

async function appendsOf(seed: number): Promise<readonly Appended[]> {
  const history = await play(seed);
  const appended = [...history.appended];
  await history.end();
  return appended;
}

describe('with SQLite', () => {
  let stores: Awaited<ReturnType<typeof sqliteStores>>;
  beforeAll(async () => {
    stores = await sqliteStores(await appendsOf(SEED));
  });
  afterAll(() => stores.end());
  aStore(() => stores.next(), rowDamages, eventDamages);
});

describeWithPostgres('with PostgreSQL', () => {
  let server: ScratchPostgres;
  let appended: readonly Appended[];
  beforeAll(async () => {
    server = await startPostgres();
    appended = await appendsOf(SEED);
  }, 120_000);
  afterAll(() => server.stop());
  aStore(() => postgresStore(server, appended), [together(rowDamages, onServer)], [together(eventDamages, onEvents)]);

  it('is not rebuilt while another writes', async () => {
    const store = await postgresStore(server, appended);
    const [conductor, other] = [await store.open(), await store.open()];
    try {
      await conductor.log.append({ ...(appended[0] as Appended).append, writes: [], changes: [] });
      await expect(rebuilt(other)).rejects.toThrow('Another process writes a log in this database');
    } finally {
      await other.close();
      await conductor.close();
    }
  });
});
