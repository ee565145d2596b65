import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { EXIT } from '../command-line';
import { program } from '../program';
import { FULL, play } from '../../../../test/derived/history';
import { postgresStore } from '../../../../test/derived/stores';

/** Of a test's own settings nothing may come from whoever runs it. */
const strange = /^(FERROLOG_|DATABASE_URL$|NATS_URL$)/;

/** The commands that read or mend a whole log: DATABASE_URL says where it is. */
describeWithPostgres('commands on a log in PostgreSQL', () => {
  const env = { ...process.env };
  let server: ScratchPostgres;
  let store: Awaited<ReturnType<typeof postgresStore>>;
  let events: number;

  beforeAll(async () => {
    for (const name of Object.keys(process.env)) if (strange.test(name)) delete process.env[name];
    server = await startPostgres();
    const history = await play(3, { steps: 40 });
    store = await postgresStore(server, history.appended);
    events = await history.world.memory.log.head();
    await history.end();
  }, 120_000);
  afterAll(async () => {
    Object.assign(process.env, env);
    if (!('DATABASE_URL' in env)) delete process.env['DATABASE_URL'];
    await server.stop();
  });
  afterEach(() => {
    process.exitCode = undefined;
    jest.restoreAllMocks();
  });

  async function run(args: readonly string[], url = store.url): Promise<{ text: string; code: unknown }> {
    let text = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => ((text += String(chunk)), true));
    process.env['DATABASE_URL'] = url;
    process.exitCode = undefined;
    try {
      await (await program(args, 'main')).parseAsync(['node', 'ferrolog', ...args]);
      return { text, code: process.exitCode ?? EXIT.ok };
    } finally {
      jest.restoreAllMocks();
    }
  }
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await run([...args, '--json'])).text);

  it('verify finds what differs, rebuild mends it', async () => {
    expect(await json('verify')).toMatchObject({ clean: true, events, differences: [] });
    await store.damage(`UPDATE doc_node SET provision_state = 'manageable' WHERE id = '${FULL}'`);
    expect(await run(['verify'])).toEqual({
      code: EXIT.failed,
      text: expect.stringContaining(`row: node ${FULL} provision_state: expected inspect wait, found manageable\n`),
    });
    expect(await json('rebuild')).toMatchObject({ events });
    expect(await run(['verify'])).toEqual({
      code: EXIT.ok,
      text: expect.stringMatching(/^\d+ events of \d+ streams: clean\.\n$/),
    });
  });

  it('verify reads beside a conductor, rebuild wants to be alone', async () => {
    const conductor = await store.open();
    try {
      await conductor.leases.claim('one', 1, 1, 1);
      await expect(run(['rebuild'])).rejects.toThrow('Another process writes a log in this database');
      expect(await run(['verify'])).toMatchObject({ code: EXIT.ok });
    } finally {
      await conductor.close();
    }
  });

  it('events and replay read it without a server, and show no secret', async () => {
    const { text } = await run(['events', 'full', '--log', '--json']);
    const { events: shown } = JSON.parse(text) as { events: { version: number; type: string }[] };
    expect(shown.map(({ version }) => version)).toEqual(shown.map((_, at) => at + 1));
    expect(shown[0]).toMatchObject({ type: 'NodeEnrolled' });
    expect(text).toContain('"password":"******"');
    expect(text).not.toContain('"sealed"');
    const replayed = (await json('replay', FULL, '--log')) as { steps: unknown[]; state: object };
    expect(replayed.steps).toHaveLength(shown.length);
    expect(replayed.state).toMatchObject({ uuid: FULL, provision_state: 'inspect wait' });
    await expect(run(['events', 'nobody', '--log'])).rejects.toThrow('Node nobody is not in the log in PostgreSQL.');
    await expect(run(['replay', 'full', '--log', '--home', '/x'])).rejects.toThrow(
      '--home and --log exclude each other',
    );
  });

  it.each([['verify'], ['rebuild'], ['events', 'full', '--log'], ['replay', 'full', '--log']])(
    '%s says in a sentence that the database is not there, without its address',
    async (...args) => {
      const error = await run(args, 'postgres://operator:geheim@127.0.0.1:9/log').catch((one: unknown) => one);
      expect(String(error)).toMatch(/^Error: The event log .*\.$|^Error: The event log .*\?$/);
      expect(String(error)).not.toMatch(/geheim|operator/);
    },
  );
});
