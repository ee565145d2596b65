import { LogUnavailable } from '@lib/ports';
import { appending } from '@lib/testing/event-log-suite';
import { sqlite } from './dialect';
import { DatabaseFailure, type Sql, type SqlRow } from './sql';
import { sqliteWriter } from './sqlite-writer';
import { WriteQueue } from './write-queue';
import { CommitInDoubt, NoTransaction, type Writer } from './writer';

describe('the write queue', () => {
  const said: string[] = [];
  let failing: (text: string) => Error | null = () => null;
  const sql: Sql = {
    dialect: sqlite,
    query: async (text) => {
      said.push(text);
      const error = failing(text);
      if (error !== null) throw error;
      return [];
    },
    run: async () => 0,
  };
  const queueOn = (writer: Writer, rest: { doubtMs?: number; onCommit?: () => void } = {}) =>
    new WriteQueue({ writer, schemas: new Map(), clock: { now: () => 1 }, onCommit: () => undefined, ...rest });
  const queue = () => queueOn(sqliteWriter({ sql, close: async () => undefined }));
  const failed = (code: string) => new DatabaseFailure(code, code, sqlite.isViolation(code), undefined);

  beforeEach(() => {
    said.length = 0;
    failing = () => null;
  });

  it('acknowledges nothing of a failed commit, and goes on with the next', async () => {
    const writes = queue();
    failing = (text) => (text === 'COMMIT' ? failed('SQLITE_IOERR') : null);
    const batch = [writes.work(async () => 'a'), writes.work(async () => 'b')];
    const results = await Promise.allSettled(batch);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(batch[1]).rejects.toThrow(LogUnavailable);
    expect(said).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']);
    failing = () => null;
    expect(await writes.work(async () => 'c')).toBe('c');
  });

  it('goes on when the database has rolled back by itself', async () => {
    const writes = queue();
    failing = (text) => (text === 'BEGIN IMMEDIATE' ? null : failed('SQLITE_FULL'));
    await expect(writes.work(async () => 'a')).rejects.toThrow('SQLITE_FULL');
    failing = () => null;
    expect(await writes.work(async () => 'b')).toBe('b');
  });

  it('lets a bug keep its stack, and the others of its batch their commit', async () => {
    const writes = queue();
    const bug = new RangeError('a bug');
    const innocent = writes.work(async () => 'a');
    await expect(writes.work(() => Promise.reject(bug))).rejects.toBe(bug);
    expect(await innocent).toBe('a');
  });

  it('splits a batch after a violation until it is alone with the one concerned', async () => {
    const writes = queue();
    const violation = failed('SQLITE_CONSTRAINT');
    const works = [0, 1, 2, 3].map((i) =>
      writes.work(() => (i === 2 ? Promise.reject(violation) : Promise.resolve(i))),
    );
    const results = await Promise.allSettled(works);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual([
      0,
      1,
      expect.any(LogUnavailable),
      3,
    ]);
  });

  it('refuses more when too much waits, and everything after close', async () => {
    const writes = queue();
    const waiting = Array.from({ length: 20_000 }, () => writes.work(async () => 'done'));
    await expect(writes.work(async () => 'one more')).rejects.toThrow('too many writes are waiting');
    const closing = writes.close();
    await expect(writes.work(async () => 'late')).rejects.toThrow('the log is closed');
    await closing;
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
    expect(said.filter((text) => text === 'COMMIT')).toHaveLength(40);
  });

  it('refuses all that waits when the database can not be reached', async () => {
    let begun = 0;
    const writes = queueOn({
      transaction: () => {
        begun++;
        return Promise.reject(new NoTransaction('blocked'));
      },
      close: async () => undefined,
    });
    const all = await Promise.allSettled(Array.from({ length: 1_200 }, () => writes.work(async () => 'a')));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(begun).toBe(1);
  });

  describe('when the connection breaks in a commit', () => {
    /** Commits break as told; a look then finds the event or does not, or can not look. */
    function breaking(outcome: 'stored' | 'lost' | 'unreachable') {
      const stored: SqlRow[] = [];
      let commits = 0;
      const looking: Sql = {
        ...sql,
        query: async (text) => {
          if (text.startsWith('SELECT hash FROM events')) return stored;
          return [];
        },
        run: async (text, values = []) => {
          if (outcome === 'stored' && text.startsWith('INSERT INTO events')) stored.push({ hash: values[9] });
          return 1;
        },
      };
      const writer: Writer = {
        transaction: async (work) => {
          if (commits++ > 0 && outcome === 'unreachable') throw new NoTransaction('still down');
          const result = await work(looking);
          if (commits === 1) throw new CommitInDoubt(new DatabaseFailure('reset', '', false, undefined));
          return result;
        },
        close: async () => undefined,
      };
      return writer;
    }
    const append = () => ({ append: appending({ 'node/1': 'any' }), blobs: [] });

    it('accepts what turns out to be in the log', async () => {
      const onCommit = jest.fn();
      const writes = queueOn(breaking('stored'), { onCommit });
      expect(await writes.append(append())).toMatchObject({ ok: true, events: [{ position: 1 }] });
      expect(onCommit).toHaveBeenCalledTimes(1);
    });

    it('refuses what is not, knowing that nothing was stored', async () => {
      const writes = queueOn(breaking('lost'));
      await expect(writes.append(append())).rejects.toMatchObject({ name: 'LogUnavailable', outcomeUnknown: false });
      expect(await writes.work(async () => 'goes on')).toBe('goes on');
    });

    it('says so when it can not be learned, and refuses meanwhile', async () => {
      const writes = queueOn(breaking('unreachable'), { doubtMs: 200 });
      const doubtful = writes.append(append());
      const refused = new Promise((resolve) => setTimeout(resolve, 50)).then(() => writes.append(append()));
      await expect(refused).rejects.toMatchObject({ name: 'LogUnavailable', outcomeUnknown: false });
      await expect(doubtful).rejects.toMatchObject({ name: 'LogUnavailable', outcomeUnknown: true });
    });
  });
});
