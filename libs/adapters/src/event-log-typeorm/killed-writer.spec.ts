import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectNothingLost, suiteSchemas } from '@lib/testing/event-log-suite';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { openPostgresLog, openSqliteLog, openSqliteReader, sqlitePath, type StoredLog } from '.';

const ROUNDS = 5;
const seed = Number(process.env.SEED ?? 4711);

/** One writer at a time, a process of its own. */
class DoomedWriter {
  private child: ChildProcess | undefined;

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  /** Starts a writer; resolves with the command ids acknowledged so far, a list that grows, at the first of them. */
  start(place: string, run: string): Promise<string[]> {
    const child = spawn(process.execPath, [join(__dirname, 'killed-writer.child.mjs'), place, run]);
    this.child = child;
    const acknowledged: string[] = [];
    let rest = '';
    let problems = '';
    child.stderr.on('data', (chunk) => (problems += chunk));
    return new Promise((resolve, reject) => {
      child.on('close', (code) => reject(new Error(`the writer ended (${code}): ${problems}`)));
      child.stdout.on('data', (chunk) => {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        acknowledged.push(...lines);
        if (lines.length > 0) resolve(acknowledged);
      });
    });
  }
}

/** Kills it at random moments; after each of them nothing is missing that it acknowledged. */
async function expectKillsToLoseNothing(writer: DoomedWriter, place: string, open: () => Promise<StoredLog>) {
  const random = lcg(seed);
  const everything: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const acknowledged = await writer.start(place, `run-${round}`);
    await pause(random() * 300);
    await writer.kill();
    everything.push(...acknowledged);
    const opened = await open();
    try {
      await expectNothingLost(opened, everything);
    } finally {
      await opened.close();
    }
  }
  expect(everything.length).toBeGreaterThan(ROUNDS);
}

describe('a writer killed in the middle', () => {
  const writer = new DoomedWriter();
  const options = { schemas: suiteSchemas, clock: Date, readers: 1 };
  afterEach(() => writer.kill());

  describe('on SQLite', () => {
    let home: string;
    beforeEach(async () => {
      home = await mkdtemp(join(tmpdir(), 'ferrolog-kill-'));
    });
    afterEach(() => rm(home, { recursive: true }));

    it(`EVS-09: loses nothing that it acknowledged, nor what derives from it (SEED=${seed})`, async () => {
      await expectKillsToLoseNothing(writer, home, () => openSqliteLog({ ...options, home, lockWaitMs: 0 }));
    }, 180_000);

    it('keeps a second writer out while it lives, and lets readers read', async () => {
      await writer.start(home, 'run');
      const second = openSqliteLog({ ...options, home, lockWaitMs: 0 });
      await expect(second).rejects.toThrow(/^Another process writes this log \(it holds .*writer\.lock\)/);
      const { reader, close } = await openSqliteReader({ path: sqlitePath(home), schemas: suiteSchemas, waitMs: 0 });
      try {
        expect(await reader.head()).toBeGreaterThan(0);
      } finally {
        await close();
      }
    }, 180_000);
  });

  describeWithPostgres('on PostgreSQL', () => {
    let server: ScratchPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    }, 120_000);
    afterAll(() => server.stop());

    it(`EVS-09: loses nothing that it acknowledged, nor what derives from it (SEED=${seed})`, async () => {
      const url = await server.createDatabase();
      await expectKillsToLoseNothing(writer, url, () => openPostgresLog({ ...options, url }));
    }, 180_000);
  });
});

/** Reproducible chance. */
function lcg(state: number): () => number {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
