/** Reports on maintenance, removal, and machines that are in use. */
import { Whole, payload, type Client, type Values } from '../whole';
import { expectSoundEnd } from './row';

const MAC = '52:54:00:00:00:01';
const timeout = (seconds: number): Values => ({ conductor: { inspect_wait_timeout: seconds } });

let whole: Whole;
let api: Client;

async function start(settings: Values = {}): Promise<void> {
  whole = await Whole.start({ settings });
  api = await whole.api();
}

afterEach(() => expectSoundEnd(whole));

const maintenance = async (uuid: string, on: boolean): Promise<void> => {
  await api.must(202, on ? 'PUT' : 'DELETE', `/v1/nodes/${uuid}/maintenance`, on ? { reason: 'hands off' } : undefined);
};

describe('MNT-01: a machine in maintenance is not stuck', () => {
  it('what its ramdisk says is heard and ends the wait', async () => {
    await start(timeout(60));
    const uuid = await api.waiting({ mac: MAC });
    await maintenance(uuid, true);
    const token = await api.token(uuid);
    expect((await api.heartbeat(uuid, token)).status).toBe(202);
    expect((await api.data(MAC)).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', maintenance: true, last_error: null });
    await maintenance(uuid, false);
    await whole.pass(120_000);
    expect(await api.endings(uuid)).toEqual(['InspectionFinished']);
  });

  it('without a word of it the attempt ends within its time after maintenance', async () => {
    await start(timeout(60));
    const uuid = await api.waiting({ mac: MAC });
    await whole.pass(20_000);
    await maintenance(uuid, true);
    await whole.pass(10_000);
    await maintenance(uuid, false);
    await whole.pass(29_999);
    expect(await api.state(uuid)).toBe('inspect wait');
    await whole.pass(1);
    expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
  });

  it('an abort works in maintenance', async () => {
    await start();
    const uuid = await api.waiting({ mac: MAC });
    await maintenance(uuid, true);
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    expect(await api.endings(uuid)).toEqual(['InspectionAborted']);
  });
});

describe('MNT-02: maintenance holds the deadline, and says so', () => {
  const deadline = async (uuid: string): Promise<unknown> =>
    ((await api.must(200, 'GET', `/ferrolog/v1/nodes/${uuid}/deadline`)).body as { deadline: unknown }).deadline;
  const due = '2026-11-30T08:00:03.000000+00:00';

  it('it is shown as held, then as overdue, and fires once as soon as maintenance is over', async () => {
    await start(timeout(3));
    const uuid = await api.waiting({ mac: MAC });
    await whole.pass(1_000);
    const said = { attempt: 1, due, paused: false, last_change: null, retry: null };
    const open = { ...said, remaining_seconds: 2, held: false, overdue: false };
    expect(await deadline(uuid)).toEqual(open);
    await maintenance(uuid, true);
    expect(await deadline(uuid)).toEqual({ ...open, held: true });
    await whole.pass(7_000);
    expect(await api.state(uuid)).toBe('inspect wait');
    expect(await deadline(uuid)).toEqual({ ...said, remaining_seconds: -5, held: true, overdue: true });
    await maintenance(uuid, false);
    await whole.pass(1_000);
    expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
    expect([await api.state(uuid), await deadline(uuid)]).toEqual(['inspect failed', null]);
    await whole.pass(60_000);
    expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
  });

  it('there is none where nothing is waited for, or without a limit; of an unknown node it is 404', async () => {
    await start(timeout(0));
    const uuid = await api.machine({ mac: MAC });
    expect(await deadline(uuid)).toBeNull();
    await api.inspect(uuid);
    expect([await api.state(uuid), await deadline(uuid)]).toEqual(['inspect wait', null]);
    expect((await api.call('GET', '/ferrolog/v1/nodes/nobody/deadline')).status).toBe(404);
    expect((await api.call('DELETE', `/ferrolog/v1/nodes/${uuid}/deadline`)).status).toBe(405);
  });
});

describe('MNT-05: what is removed is not known any more', () => {
  it('a port by its address', async () => {
    await start();
    const [other, uuid] = ['52:54:00:00:00:02', await api.machine({ mac: MAC })];
    await api.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: other });
    const { ports } = (await api.call('GET', `/v1/ports?address=${MAC}`)).body as { ports: { uuid: string }[] };
    await api.must(204, 'DELETE', `/v1/ports/${ports[0]!.uuid}`);
    await api.inspect(uuid);
    expect((await api.call('GET', `/v1/lookup?addresses=${MAC}`)).status).toBe(404);
    expect((await api.data(MAC)).status).toBe(404);
    expect((await api.call('GET', `/v1/lookup?addresses=${other}`)).status).toBe(200);
    expect((await api.data(other)).status).toBe(202);
  });

  it('a port that was given another address', async () => {
    await start();
    const [moved, uuid] = ['52:54:00:00:00:03', await api.machine({ mac: MAC })];
    const { ports } = (await api.call('GET', `/v1/ports?address=${MAC}`)).body as { ports: { uuid: string }[] };
    const change = [{ op: 'replace', path: '/address', value: moved }];
    await api.must(200, 'PATCH', `/v1/ports/${ports[0]!.uuid}`, change);
    await api.inspect(uuid);
    expect((await api.call('GET', `/v1/lookup?addresses=${MAC}`)).status).toBe(404);
    expect((await api.data(MAC)).status).toBe(404);
    expect((await api.data(moved)).status).toBe(202);
  });

  it('a node by its ports and its UUID; the address is free for another', async () => {
    await start();
    const gone = await api.waiting({ mac: MAC });
    await maintenance(gone, true);
    await api.must(204, 'DELETE', `/v1/nodes/${gone}`);
    const queries = [`addresses=${MAC}`, `node_uuid=${gone}`];
    for (const query of queries) expect((await api.call('GET', `/v1/lookup?${query}`)).status).toBe(404);
    expect((await api.call('POST', `/v1/continue_inspection?node_uuid=${gone}`, payload(MAC))).status).toBe(404);
    const next = await api.waiting({ mac: MAC });
    expect((await api.data(MAC)).status).toBe(202);
    expect(await api.state(next)).toBe('manageable');
  });
});

describe('MNT-06: a machine in use is not inspected', () => {
  const instance = '6e0c1e1c-0000-4000-8000-0000000000aa';

  it.each([
    ['available', ['provide']],
    ['active', ['provide', 'active']],
  ])('in `%s`', async (state, verbs) => {
    await start();
    const uuid = await api.machine({ mac: MAC });
    for (const verb of verbs) expect((await api.provision(uuid, verb)).status).toBe(202);
    expect(await api.state(uuid)).toBe(state);
    const before = await api.node(uuid);
    const { status, text } = await api.provision(uuid, 'inspect');
    expect([status, text]).toEqual([400, expect.stringContaining(state)]);
    expect(await api.node(uuid)).toEqual(before);
    expect(whole.script.calls('inspect', uuid)).toEqual([]);
  });

  it('one that is manageable is, also when it names an instance, as its operator asked for; it keeps the instance', async () => {
    await start();
    const uuid = await api.machine({ mac: MAC, fields: { instance_uuid: instance } });
    expect((await api.provision(uuid, 'inspect')).status).toBe(202);
    expect((await api.data(MAC)).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', instance_uuid: instance });
    const refused = await api.call('DELETE', `/v1/nodes/${uuid}`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(instance)]);
  });

  it('a protected one neither goes nor is inspected', async () => {
    await start();
    const uuid = await api.machine({ mac: MAC });
    for (const verb of ['provide', 'active']) await api.provision(uuid, verb);
    await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, [{ op: 'replace', path: '/protected', value: true }]);
    expect((await api.provision(uuid, 'inspect')).status).toBe(400);
    await maintenance(uuid, true);
    expect((await api.call('DELETE', `/v1/nodes/${uuid}`)).status).toBe(403);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'active', protected: true });
  });
});
