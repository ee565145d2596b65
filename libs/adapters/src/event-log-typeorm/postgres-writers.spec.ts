import { setTimeout as pause } from 'node:timers/promises';
import { schemaIndex } from '@lib/adapters/event-log-batch';
import { MemoryEventStreamBroker } from '@lib/adapters/event-stream-memory';
import { systemClock } from '@lib/adapters/system-clock';
import { LogUnavailable, type Append, type EventLog, type RecordedEvent } from '@lib/ports';
import { appending, expectIntactChains, suiteSchemas } from '@lib/testing/event-log-suite';
import { CuttingProxy, describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { EventPublisher } from '@lib/usecases/publish-events';
import { openPostgresLog, openPostgresReader, type PostgresTimes, type StoredLog } from '.';
import { APPEND_LOCK } from './advisory-locks';
import { commitAppends } from './commit-appends';
import { openWriterSource } from './postgres-connections';
import { PostgresWriter } from './postgres-writer';

const times: PostgresTimes = { lockMs: 20_000, statementMs: 20_000, idleInTransactionMs: 20_000 };
const schemas = suiteSchemas;
const ended = Symbol('ended on purpose');

describeWithPostgres('writers of one log in PostgreSQL', () => {
  let server: ScratchPostgres;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());
  beforeEach(async () => {
    url = await server.createSchema();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const open = async (
    rest: { times?: Partial<PostgresTimes>; now?: number; url?: string } = {},
  ): Promise<StoredLog> => {
    const clock = { now: () => rest.now ?? 1 };
    const log = await openPostgresLog({
      url: rest.url ?? url,
      schemas,
      clock,
      times: { ...times, ...rest.times },
      readers: 2,
    });
    closing.push(() => log.close());
    return log;
  };
  const outsider = async () => {
    const client = await server.connect(url);
    closing.push(() => client.end());
    return client;
  };

  /** An append by the same code as any other, held open when it has its position. */
  async function holdOpen(append: Append, rest: Partial<PostgresTimes> = {}) {
    const writer = new PostgresWriter(await openWriterSource(url, { ...times, ...rest }));
    closing.push(() => writer.close());
    let end: { commit(): void; rollBack(): void } = { commit: () => undefined, rollBack: () => undefined };
    const ending = new Promise<void>((resolve, reject) => {
      end = { commit: resolve, rollBack: () => reject(ended) };
    });
    let pid = 0;
    let hold: (position: number) => void;
    const position = new Promise<number>((resolve) => (hold = resolve));
    const done = writer.transaction(async (sql) => {
      const [result] = await commitAppends(sql, [{ append, blobs: [] }], schemaIndex(schemas), 1);
      pid = Number((await sql.query('SELECT pg_backend_pid() AS pid'))[0]?.pid);
      hold(result?.ok ? (result.events[0]?.position ?? 0) : 0);
      await ending;
      // What the killed connection did not learn yet.
      await sql.query('SELECT 1');
    });
    done.catch(() => undefined);
    return { position: await position, done, ...end, pid };
  }

  /** Reads on and on, as a service with a cursor does. */
  function follow(log: Pick<EventLog, 'readAll'>) {
    const seen: RecordedEvent[] = [];
    let stopped = false;
    const reading = (async () => {
      while (!stopped) {
        seen.push(...(await log.readAll(seen.at(-1)?.position ?? 0, 7)));
        await pause(2);
      }
    })();
    closing.push(async () => {
      stopped = true;
      await reading;
    });
    return seen;
  }

  async function publishing({ log }: StoredLog) {
    const broker = new MemoryEventStreamBroker();
    const ignore = () => undefined;
    const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const stream = broker.open(await log.logId());
    const publisher = new EventPublisher({ log, stream, clock: systemClock, logger, prefix: 'metal' });
    publisher.start();
    closing.push(() => publisher.stop());
    return () => broker.stored().map(({ position }) => position);
  }

  async function reached(what: () => number, count: number): Promise<void> {
    for (let waitedMs = 0; waitedMs < 20_000 && what() < count; waitedMs += 20) await pause(20);
  }

  describe('an append held open after it has its position, with 100 sent behind it', () => {
    it.each(['committed', 'rolled back', 'killed'] as const)(
      'EVS-01: %s: every committed event is seen, in order, once',
      async (how) => {
        const [one, two] = [await open(), await open()];
        const reader = await openPostgresReader({ url, schemas });
        closing.push(() => reader.close());
        const seen = follow(reader.reader);
        const published = await publishing(one);
        await one.log.append(appending({ 'node/first': 'absent' }));

        const held = await holdOpen(appending({ 'node/held': 'absent' }));
        expect(held.position).toBe(2);
        const sent = Array.from({ length: 100 }, (_, i) =>
          (i % 2 ? one : two).log.append(appending({ [`node/${i}`]: 'absent' })),
        );
        await pause(300);
        expect(seen.map(({ position }) => position)).toEqual([1]);
        expect(published()).toEqual([1]);

        if (how === 'committed') held.commit();
        else if (how === 'rolled back') held.rollBack();
        else {
          await (await outsider()).query('SELECT pg_terminate_backend($1)', [held.pid]);
          held.commit();
        }
        if (how === 'committed') await held.done;
        else await expect(held.done).rejects.toBeDefined();
        expect((await Promise.all(sent)).every(({ ok }) => ok)).toBe(true);

        const count = how === 'committed' ? 102 : 101;
        const positions = Array.from({ length: count }, (_, i) => i + 1);
        await reached(() => seen.length, count);
        await reached(() => published().length, count);
        expect(seen.map(({ position }) => position)).toEqual(positions);
        expect(published()).toEqual(positions);
        expect(seen.filter(({ stream }) => stream === 'node/held')).toHaveLength(how === 'committed' ? 1 : 0);
        await expectIntactChains(one.log);
      },
    );
  });

  it('interleave their batches, with clocks that differ, and race for streams and effects', async () => {
    const writers = [await open({ now: 5_000 }), await open({ now: 1_000 })];
    const mine = writers.map(async ({ log, leases }, w) => {
      const results = [];
      for (let round = 0; round < 20; round++) {
        const appends = Array.from({ length: 10 }, (_, i) =>
          appending({ [`node/${w}-${i}`]: round === 0 ? 'absent' : round }),
        );
        const race = appending(
          { [`node/race-${round}`]: 'absent', 'node/both': 'any' },
          {
            changes: [{ change: 'effect', stream: `node/race-${round}`, n: 1, attempt: 1, status: 'open', json: '{}' }],
          },
        );
        results.push(
          ...(await Promise.all([...appends, race].map((append) => log.append(append)))).map(({ ok }) => ok),
        );
      }
      return { results, claimed: await leases.claim(`w${w}`, 0, 1_000, 15) };
    });
    const [one, two] = await Promise.all(mine);
    const won = [...(one?.results ?? []), ...(two?.results ?? [])].filter((ok) => ok);
    expect(won).toHaveLength(2 * 200 + 20);
    const events = await expectIntactChains((await open()).log);
    expect(events).toHaveLength(2 * 200 + 2 * 20);
    const streams = [...(one?.claimed ?? []), ...(two?.claimed ?? [])].map(({ stream }) => stream);
    expect(new Set(streams).size).toBe(streams.length);
    expect(streams.length).toBeGreaterThanOrEqual(15);
  });

  it('are refused, all that wait, when another one blocks; and go on afterwards', async () => {
    const { log, leases } = await open({ times: { lockMs: 200 } });
    const blocker = await outsider();
    await blocker.query('SELECT pg_advisory_lock($1)', [APPEND_LOCK]);
    const appends = Array.from({ length: 1_200 }, (_, i) => log.append(appending({ [`node/${i}`]: 'absent' })));
    for (const result of await Promise.allSettled([...appends, leases.claim('w', 0, 1, 1)])) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'LogUnavailable', outcomeUnknown: false } });
    }
    await blocker.query('SELECT pg_advisory_unlock($1)', [APPEND_LOCK]);
    expect(await log.append(appending({ 'node/1': 'absent' }))).toMatchObject({ ok: true, events: [{ position: 1 }] });
  });

  it('that stop in the middle lose their transaction, and do not keep the others out for ever', async () => {
    const { log } = await open();
    const held = await holdOpen(appending({ 'node/held': 'absent' }), { idleInTransactionMs: 200 });
    expect(await log.append(appending({ 'node/1': 'absent' }))).toMatchObject({ ok: true, events: [{ position: 1 }] });
    held.commit();
    await expect(held.done).rejects.toBeDefined();
    expect((await log.readAll(0, 9)).map(({ stream }) => stream)).toEqual(['node/1']);
  });

  describe('when the connection breaks', () => {
    it.each(['before', 'after'] as const)(
      '%s the server commits, an append is accepted or not, never both',
      async (cut) => {
        const proxy = await CuttingProxy.open(url);
        closing.push(() => proxy.close());
        const { log } = await open({ url: proxy.url });
        const heard: RecordedEvent[] = [];
        log.onCommit((events) => heard.push(...events));
        const command = appending({ 'node/1': 'absent' });
        proxy.cutNext(cut);
        const result = await log.append(command).catch((error: unknown) => error);
        const stored = await log.readCommand(command.meta.commandId);
        if (cut === 'after') {
          expect(result).toEqual({ ok: true, events: stored });
          expect(stored).toHaveLength(1);
          expect(heard).toEqual(stored);
        } else {
          expect(result).toMatchObject({ name: 'LogUnavailable', outcomeUnknown: false });
          expect(stored).toEqual([]);
        }
        expect(await log.append(appending({ 'node/2': 'absent' }))).toMatchObject({ ok: true });
        await expectIntactChains(log);
      },
    );

    it('between two appends, the next one takes a new connection', async () => {
      const { log } = await open();
      await log.append(appending({ 'node/1': 'absent' }));
      const client = await outsider();
      const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'ferrolog%' AND datname = current_database()`;
      await client.query(others);
      const again = () => log.append(appending({ 'node/2': 'any' }));
      await again().catch((error: unknown) => expect(error).toBeInstanceOf(LogUnavailable));
      expect(await again()).toMatchObject({ ok: true });
      expect(await log.head()).toBeGreaterThanOrEqual(2);
    });
  });

  it('say what is true while the server is killed and comes back: accepted is stored, refused is not', async () => {
    const { log } = await open();
    const accepted: string[] = [];
    const refused: string[] = [];
    let over = false;
    const lanes = Array.from({ length: 6 }, async (_, lane) => {
      while (!over) {
        const append = appending({ [`node/${lane}`]: 'any' });
        const { commandId } = append.meta;
        try {
          expect(await log.append(append)).toMatchObject({ ok: true });
          accepted.push(commandId);
        } catch (error) {
          expect(error).toMatchObject({ name: 'LogUnavailable', outcomeUnknown: false });
          refused.push(commandId);
          await pause(20);
        }
      }
    });
    for (let round = 0; round < 3; round++) {
      await reached(() => accepted.length, accepted.length + 30);
      await server.kill();
      await reached(() => refused.length, refused.length + 6);
      await expect(log.head()).rejects.toThrow(LogUnavailable);
      await server.restart();
    }
    await reached(() => accepted.length, accepted.length + 30);
    over = true;
    await Promise.all(lanes);
    const events = await expectIntactChains(log);
    const stored = new Set(events.map(({ meta }) => (JSON.parse(meta) as { commandId: string }).commandId));
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
    expect(refused.filter((id) => stored.has(id))).toEqual([]);
    expect(stored.size).toBe(accepted.length);
    expect(refused.length).toBeGreaterThan(0);
  }, 120_000);
});
