import { QueryFailedError } from 'typeorm';
import { LogUnavailable } from '@lib/ports';
import type { Sql } from './sql';
import { WriteQueue } from './write-queue';

describe('the write queue', () => {
  const said: string[] = [];
  let failing: (text: string) => Error | null = () => null;
  const sql: Sql = {
    query: async (text) => {
      said.push(text);
      const error = failing(text);
      if (error !== null) throw error;
      return [];
    },
    run: async () => 0,
  };
  const queue = () => new WriteQueue({ sql, schemas: new Map(), clock: { now: () => 1 }, onCommit: () => undefined });
  const failed = (text: string, code: string) =>
    new QueryFailedError(text, [], Object.assign(new Error(code), { code }));

  beforeEach(() => {
    said.length = 0;
    failing = () => null;
  });

  it('acknowledges nothing of a failed commit, and goes on with the next', async () => {
    const writes = queue();
    failing = (text) => (text === 'COMMIT' ? failed(text, 'SQLITE_IOERR') : null);
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
    failing = (text) => (text === 'BEGIN IMMEDIATE' ? null : failed(text, 'SQLITE_FULL'));
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
    const violation = failed('INSERT', 'SQLITE_CONSTRAINT');
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
});
