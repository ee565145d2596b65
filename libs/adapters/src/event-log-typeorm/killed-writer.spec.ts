import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectNothingLost, suiteSchemas } from '@lib/testing/event-log-suite';
import { openSqliteLog, openSqliteReader, sqlitePath } from '.';

const ROUNDS = 5;
const seed = Number(process.env.SEED ?? 4711);

describe('a writer killed in the middle', () => {
  let home: string;
  let writer: ChildProcess | undefined;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ferrolog-kill-'));
  });
  afterEach(async () => {
    await kill();
    await rm(home, { recursive: true });
  });

  async function kill(): Promise<void> {
    if (writer === undefined || writer.exitCode !== null || writer.signalCode !== null) return;
    writer.kill('SIGKILL');
    await once(writer, 'close');
  }

  /** Starts a writer; resolves with the command ids acknowledged so far, a list that grows, at the first of them. */
  async function write(run: string): Promise<string[]> {
    const child = spawn(process.execPath, [join(__dirname, 'killed-writer.child.mjs'), home, run]);
    writer = child;
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

  it(`loses nothing that it acknowledged (SEED=${seed})`, async () => {
    const random = lcg(seed);
    const everything: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await write(`run-${round}`);
      await pause(random() * 300);
      await kill();
      everything.push(...acknowledged);
      const opened = await openSqliteLog({ home, schemas: suiteSchemas, clock: Date, readers: 1, lockWaitMs: 0 });
      try {
        await expectNothingLost(opened, everything);
      } finally {
        await opened.close();
      }
    }
    expect(everything.length).toBeGreaterThan(ROUNDS);
  }, 60_000);

  it('keeps a second writer out while it lives, and lets readers read', async () => {
    await write('run');
    const second = openSqliteLog({ home, schemas: suiteSchemas, clock: Date, lockWaitMs: 0 });
    await expect(second).rejects.toThrow(/^Another process writes this log \(it holds .*writer\.lock\)/);
    const { reader, close } = await openSqliteReader({ path: sqlitePath(home), schemas: suiteSchemas, waitMs: 0 });
    try {
      expect(await reader.head()).toBeGreaterThan(0);
    } finally {
      await close();
    }
  }, 60_000);
});

/** Reproducible chance. */
function lcg(state: number): () => number {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
