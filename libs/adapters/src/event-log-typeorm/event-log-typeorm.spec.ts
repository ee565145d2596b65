import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anEventLog, type LogUnderTest } from '@lib/testing/event-log-suite';
import { openSqliteLog, type SqliteLogOptions } from '.';

async function underTest(options: SqliteLogOptions): Promise<LogUnderTest> {
  const opened = await openSqliteLog(options);
  return {
    ...opened,
    reopen: async () => {
      await opened.close();
      return underTest(options);
    },
    close: async () => {
      await opened.close();
      await rm(options.home, { recursive: true });
    },
  };
}

anEventLog('SQLite', async (options) =>
  underTest({ ...options, home: await mkdtemp(join(tmpdir(), 'ferrolog-log-')), readers: 1 }),
);
