import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import {
  Api,
  enroll,
  httpCall,
  inspect,
  macOf,
  startStack,
  until,
  type Layout,
  type Settings,
  type Stack,
} from '../stack';

/** The path of the first inspection over a log in PostgreSQL, the services as processes and as one. */
jest.setTimeout(180_000);

const SETTINGS: Settings = {
  DEFAULT: { enabled_inspect_interfaces: 'inspector, fake, no-inspect' },
  conductor: { automated_clean: 'false' },
  inspector: { status_check_period: '1', require_managed_boot: 'false' },
};
const ENDINGS = /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/;

describeWithPostgres('a stack over PostgreSQL', () => {
  let server: ScratchPostgres;

  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  describe.each<Layout>(['services', 'single'])('%s', (layout) => {
    let stack: Stack | undefined;
    let api: Api;
    let url: string;

    beforeAll(async () => {
      url = await server.createDatabase();
      stack = await startStack({ settings: SETTINGS, layout, databaseUrl: url });
      api = new Api(stack.apiUrl);
    }, 240_000);
    afterAll(async () => void (await stack?.stop()), 60_000);

    /** Before it waits it still sets the boot device, which an abort's reservation would keep from it. */
    const inspectorState = async (uuid: string): Promise<unknown> => {
      const path = `/v1/introspection/${uuid}`;
      const { json } = await httpCall(stack?.inspectorUrl ?? '', { method: 'GET', path });
      return (json as { state?: unknown } | undefined)?.state;
    };
    const endings = async (uuid: string) =>
      (await api.events(uuid)).map(({ type }) => type).filter((type) => ENDINGS.test(type));

    it('creates, manages, inspects, waits and aborts', async () => {
      const uuid = await enroll(api, { mac: macOf(1) });
      await inspect(api, uuid);
      await until('the inspector to have started', async () => (await inspectorState(uuid)) === 'waiting');
      expect((await api.provision(uuid, 'abort')).status).toBe(202);
      const node = await api.state(uuid, 'inspect failed');
      expect(node.last_error?.toLowerCase()).toContain('aborted');
      expect(await endings(uuid)).toEqual(['InspectionAborted']);
    });

    it('times out at the deadline, once, and lets the machine go with its port', async () => {
      const uuid = await enroll(api, { mac: macOf(2), inspectWaitTimeout: 1 });
      await inspect(api, uuid);
      const node = await api.state(uuid, 'inspect failed');
      expect(node.last_error).toMatch(/timeout/i);
      expect(await endings(uuid)).toEqual(['InspectionTimedOut']);
      await api.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'test' });
      await api.must(204, 'DELETE', `/v1/nodes/${uuid}`);
      expect((await api.send('GET', `/v1/nodes/${uuid}`)).status).toBe(404);
      const ports = (await api.must(200, 'GET', '/v1/ports?limit=1000')).json as { ports: { address: string }[] };
      expect(ports.ports.map(({ address }) => address)).not.toContain(macOf(2));
    });

    it('keeps its log there, and no file of SQLite', async () => {
      const client = await server.connect(url);
      try {
        const [row] = (await client.query<{ events: string }>('SELECT count(*) AS events FROM events')).rows;
        expect(Number(row?.events)).toBeGreaterThan(10);
      } finally {
        await client.end();
      }
    });

    it('refuses while the database is gone, saying that nothing happened, and goes on when it is back', async () => {
      await server.kill();
      const body = { driver: 'fake-hardware', name: `late-${layout}` };
      const refused = await until('a refusal', async () => {
        const answer = await api.send('POST', '/v1/nodes', body);
        if (answer.status === 503) return answer;
        throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
      });
      expect(refused.text).toMatch(/nothing happened|unknown/);
      await server.restart();
      await until('the node', async () => [201, 409].includes((await api.send('POST', '/v1/nodes', body)).status));
      const { json } = await api.must(200, 'GET', '/v1/nodes');
      const names = (json as { nodes: { name: string }[] }).nodes.map(({ name }) => name);
      expect(names.filter((name) => name === body.name)).toHaveLength(1);
    });
  });
});
