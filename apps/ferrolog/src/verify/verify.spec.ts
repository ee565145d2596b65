import { EXIT } from '../command-line';
import { program } from '../program';
import { FULL, play } from '../../../../test/derived/history';
import { sqliteStores, type SqliteStore } from '../../../../test/derived/stores';

/** Of a test's own settings nothing may come from whoever runs it. */
const strange = /^(FERROLOG_|DATABASE_URL$|NATS_URL$)/;

describe('verify and rebuild on the command line', () => {
  const env = { ...process.env };
  let stores: Awaited<ReturnType<typeof sqliteStores>>;
  let store: SqliteStore;

  beforeAll(async () => {
    for (const name of Object.keys(process.env)) if (strange.test(name)) delete process.env[name];
    const history = await play(3);
    stores = await sqliteStores([...history.appended]);
    await history.end();
  });
  afterAll(async () => {
    Object.assign(process.env, env);
    await stores.end();
  });
  beforeEach(async () => {
    store = await stores.next();
  });
  afterEach(async () => {
    process.exitCode = undefined;
    jest.restoreAllMocks();
    await store.remove();
  });

  async function run(...args: readonly string[]): Promise<{ text: string; code: unknown }> {
    let text = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => ((text += String(chunk)), true));
    process.exitCode = undefined;
    await (await program(args, 'main')).parseAsync(['node', 'ferrolog', ...args, '--home', store.home]);
    const { exitCode: code } = process;
    jest.restoreAllMocks();
    return { text, code: code ?? EXIT.ok };
  }

  it('verify finds, rebuild mends', async () => {
    const clean = await run('verify');
    expect(clean).toMatchObject({
      code: EXIT.ok,
      text: expect.stringMatching(/^\d+ events of \d+ streams: clean\.\n$/),
    });
    await store.damage(`UPDATE doc_node SET provision_state = 'manageable' WHERE id = '${FULL}'`);
    expect(await run('verify')).toEqual({
      code: EXIT.failed,
      text: expect.stringContaining(`row: node ${FULL} provision_state: expected inspect wait, found manageable\n`),
    });
    const { text, code } = await run('verify', '--json');
    expect([code, JSON.parse(text)]).toMatchObject([
      EXIT.failed,
      { clean: false, total: 1, differences: [{ what: 'row', expected: 'inspect wait', found: 'manageable' }] },
    ]);
    const rebuilt = await run('rebuild', '--json');
    expect(rebuilt.code).toBe(EXIT.ok);
    expect(JSON.parse(rebuilt.text)).toEqual({
      events: expect.any(Number),
      streams: expect.any(Number),
      rows: expect.any(Number),
    });
    expect(JSON.parse((await run('verify', '--json')).text)).toMatchObject({ clean: true, differences: [], total: 0 });
  });

  it('verify reads beside the writer, rebuild wants to be alone', async () => {
    const writer = await store.open();
    try {
      expect((await run('verify')).code).toBe(EXIT.ok);
      await expect(run('rebuild')).rejects.toThrow('Another process writes this log');
    } finally {
      await writer.close();
    }
  });

  it.each(['verify', 'rebuild'])('%s says when there is no log', async (command) => {
    await store.remove();
    await expect(run(command)).rejects.toThrow(`There is no event log under ${store.home}.`);
    store = await stores.next();
  });
});
