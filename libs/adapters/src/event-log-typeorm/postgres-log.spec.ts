import { anEventLog, type LogUnderTest } from '@lib/testing/event-log-suite';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { openPostgresLog, type PostgresLogOptions } from '.';

async function underTest(options: PostgresLogOptions): Promise<LogUnderTest> {
  const opened = await openPostgresLog(options);
  return {
    ...opened,
    reopen: async () => {
      await opened.close();
      return underTest(options);
    },
  };
}

describeWithPostgres('with a PostgreSQL server', () => {
  let server: ScratchPostgres;

  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  anEventLog('PostgreSQL', async (options) => underTest({ ...options, url: await server.createSchema(), readers: 2 }));
});
