/** A conductor that is killed and started again, over SQLite: the process, its lock on the log and its host name are real. */
import { openSqliteReader, sqlitePath } from '@lib/adapters/event-log-typeorm';
import { documentSchemas as schemas } from '@lib/contracts';
import { Api, startStack, until, type Settings, type Stack } from '../stack';
import { expectSound } from './row';

jest.setTimeout(180_000);

const SETTINGS: Settings = {
  DEFAULT: { host: 'Node-A', enabled_inspect_interfaces: 'agent, fake, no-inspect' },
  inspector: { require_managed_boot: 'false' },
  fake: { inspect_delay: '3' },
};
const NODES = 12;

describe('a conductor killed in the middle of inspections', () => {
  let stack: Stack;
  let api: Api;
  const statuses: number[] = [];
  const uuids: string[] = [];

  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, services: ['conductor', 'scheduler', 'api'] });
    api = new Api(stack.apiUrl);
    for (let n = 0; n < NODES; n += 1) {
      const node = { driver: 'fake-hardware', inspect_interface: 'fake' };
      uuids.push(((await api.must(201, 'POST', '/v1/nodes', node)).json as { uuid: string }).uuid);
    }
    await Promise.all(uuids.map((uuid) => api.provision(uuid, 'manage')));
    await Promise.all(uuids.map((uuid) => api.state(uuid, 'manageable')));
  }, 240_000);
  afterAll(() => stack?.stop(), 60_000);

  const inspectAll = async (): Promise<void> => {
    const answers = await Promise.all(uuids.map((uuid) => api.provision(uuid, 'inspect')));
    expect(answers.map(({ status }) => status)).toEqual(uuids.map(() => 202));
  };
  async function restarted(settings: Settings): Promise<void> {
    await stack.kill('conductor', 'SIGKILL');
    stack.configure('conductor', settings);
    await stack.restart('conductor');
  }
  const hosts = async () => {
    const { json } = await api.must(200, 'GET', '/v1/conductors');
    return (json as { conductors: { hostname: string; alive: boolean }[] }).conductors.map(({ hostname, alive }) => [
      hostname,
      alive,
    ]);
  };

  it('CRS-01, CRS-07: takes all of them up again at once, also under another spelling of its host name [1.32]', async () => {
    await inspectAll();
    await restarted({ DEFAULT: { host: 'node-a' } });
    const nodes = await Promise.all(uuids.map((uuid) => api.state(uuid, 'manageable')));
    for (const node of nodes) expect(node).toMatchObject({ reservation: null, last_error: null });
    await until('the new name alone', async () => JSON.stringify(await hosts()) === '[["node-a",true]]');
  });

  it('CRS-01: with on_restart = fail, fails all of them, not eight, and says why [1.32]', async () => {
    await inspectAll();
    await restarted({ DEFAULT: { host: 'node-a' }, conductor: { on_restart: 'fail' } });
    // It serves: so all that it found is settled.
    const nodes = await Promise.all(uuids.map((uuid) => api.node(uuid)));
    for (const node of nodes) {
      expect(node).toMatchObject({ provision_state: 'inspect failed', reservation: null });
      expect(node.last_error).toMatch(/^The inspecting state can't be resumed by conductor node-a after a restart/);
    }
    const { json } = await api.must(200, 'GET', `/v1/nodes/${uuids[0]}/history?detail=true`);
    expect((json as { history: unknown[] }).history).toMatchObject([{ event_type: 'transition', conductor: 'node-a' }]);
  });

  it('CRS-08: comes back under constant traffic without taking a fresh lock for a stale one', async () => {
    let over = false;
    const texts: string[] = [];
    const drive = async (uuid: string): Promise<void> => {
      while (!over) {
        const { status, text } = await api.provision(uuid, 'inspect');
        statuses.push(status);
        if (status !== 202) texts.push(text);
      }
    };
    const traffic = Promise.all(uuids.slice(0, 4).map(drive));
    await until('traffic', () => statuses.length > 8);
    await restarted({ DEFAULT: { host: 'node-a' }, conductor: { on_restart: 'fail' } });
    const before = statuses.length;
    await until('an inspection that the new one took', async () => {
      const answer = await api.send('GET', '/ferrolog/v1/ready/conductor');
      return answer.status === 200 && statuses.slice(before).includes(202);
    });
    over = true;
    await traffic;
    expect(texts.filter((text) => /not locked/i.test(text))).toEqual([]);
    expect(statuses.filter((status) => ![202, 400, 409, 503].includes(status))).toEqual([]);
    await Promise.all(
      uuids.map((uuid) =>
        until('rest', async () => ['manageable', 'inspect failed'].includes((await api.node(uuid)).provision_state)),
      ),
    );
  });

  it('leaves a log that is sound', async () => {
    const log = await openSqliteReader({ path: sqlitePath(stack.home), schemas, waitMs: 10_000 });
    try {
      await expectSound({ log: log.reader, derived: log.derived }, statuses);
    } finally {
      await log.close();
    }
  });
});
