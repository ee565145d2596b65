/** Rows that want an inspector which does not do what it said, or hears nothing: all processes, the simulator among them. */
import { Api, enroll, httpCall, inspect, inspectorState, inspectorWaits, macOf, startStack, until } from '../stack';
import type { Stack } from '../stack';

jest.setTimeout(180_000);

const SETTINGS = {
  DEFAULT: { enabled_inspect_interfaces: 'inspector, no-inspect' },
  conductor: { automated_clean: 'false' },
  inspector: { status_check_period: '1', require_managed_boot: 'false' },
};

describe('with an inspector', () => {
  let stack: Stack;
  let api: Api;

  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, layout: 'single' });
    api = new Api(stack.apiUrl);
  }, 300_000);
  afterAll(() => stack?.stop(), 60_000);

  /** What the inspector was asked about a machine, in order, with its answers. */
  async function asked(uuid: string): Promise<string[]> {
    const { json } = await httpCall(stack.inspectorUrl, {
      method: 'GET',
      path: `/ferrolog/v1/simulator/log?node=${uuid}`,
    });
    const { entries } = json as { entries: { ask?: string; status: number }[] };
    return entries.flatMap(({ ask, status }) => (ask === undefined ? [] : [`${ask} ${status}`]));
  }

  async function waiting(n: number, script: string, rest: { inspectWaitTimeout?: number } = {}): Promise<string> {
    const uuid = await enroll(api, { mac: macOf(n), script, ...rest });
    await inspect(api, uuid);
    await inspectorWaits(stack.inspectorUrl, uuid);
    return uuid;
  }

  const timesAsked = async (uuid: string, word: string): Promise<number> =>
    (await asked(uuid)).filter((line) => line.startsWith(`${word} `)).length;
  const looksAt = (uuid: string): Promise<number> => timesAsked(uuid, 'status');
  const startsOf = (uuid: string): Promise<number> => timesAsked(uuid, 'start');

  it('an abort that it takes and does nothing about ends the node at once, is passed on once and is not asked about; it starts afresh after it [1.9, 1.21, 2.6, 2.7, 2.8, 2.9]', async () => {
    const other = await waiting(1, 'never');
    const uuid = await waiting(2, 'ignore-abort');
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'inspect failed', reservation: null });
    const told = await asked(uuid);
    expect(told.filter((line) => line.startsWith('abort'))).toEqual(['abort 202']);
    expect(await inspectorState(stack.inspectorUrl, uuid)).toBe('waiting');

    const before = await looksAt(other);
    await until('two looks at the other one', async () => (await looksAt(other)) >= before + 2);
    // The question of this test for the state is one of what follows.
    expect((await asked(uuid)).slice(told.length)).toEqual(['status 200']);
    expect((await api.node(uuid)).provision_state).toBe('inspect failed');

    const good = { script: 'succeed', after: 0.2 };
    await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, [{ op: 'replace', path: '/extra/simulator', value: good }]);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    expect((await api.state(uuid, 'manageable')).last_error).toBeNull();
    expect(await inspectorState(stack.inspectorUrl, uuid)).toBe('finished');
  });

  it('a timeout is not told to it: it waits on while the node has failed and its machine is off [1.8]', async () => {
    const uuid = await waiting(3, 'never', { inspectWaitTimeout: 6 });
    const node = await api.state(uuid, 'inspect failed');
    expect(node.last_error).toMatch(/timeout reached/i);
    await until('the machine is off', async () => (await api.node(uuid)).power_state === 'power off');
    expect(await inspectorState(stack.inspectorUrl, uuid)).toBe('waiting');
    expect((await asked(uuid)).filter((line) => line.startsWith('abort'))).toEqual([]);
  });

  it('it starts for whoever asks in every state of an inspection, and in no other [1.10, 1.11, 1.25]', async () => {
    const started = async (uuid: string) => {
      const call = { method: 'POST', path: `/v1/introspection/${uuid}?manage_boot=false` };
      return `${(await api.node(uuid)).provision_state} ${(await httpCall(stack.inspectorUrl, call)).status}`;
    };
    const fresh = {
      driver: 'fake-hardware',
      inspect_interface: 'inspector',
      extra: { simulator: { script: 'never' } },
    };
    const { uuid } = (await api.must(201, 'POST', '/v1/nodes', fresh)).json as { uuid: string };
    await api.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: macOf(4) });
    const seen = [await started(uuid)];
    const ways = ['manage manageable', 'provide available', 'active active', 'deleted available', 'manage manageable'];
    for (const way of [...ways, 'inspect inspect wait', 'abort inspect failed']) {
      const [target = '', ...state] = way.split(' ');
      const before = await startsOf(uuid);
      await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target });
      await api.state(uuid, state.join(' '));
      // Our own start is over: while one is at work no other is taken.
      if (target === 'inspect') await until('our own start', async () => (await startsOf(uuid)) > before);
      if (target === 'inspect') await inspectorWaits(stack.inspectorUrl, uuid);
      seen.push(await started(uuid));
    }
    expect(seen).toEqual([
      ...['enroll 202', 'manageable 202', 'available 400', 'active 400', 'available 400', 'manageable 202'],
      ...['inspect wait 202', 'inspect failed 202'],
    ]);
  });
});
