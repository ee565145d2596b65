import { dataOf, FakeApi, MAC, NODE, setUp } from '../../../../test/inspector/world';
import { BareMetalApiError, type NodeDiscovery } from './bare-metal-api';
import type { InspectorOptions } from './room';

/** A Bare Metal API whose only node may be found by its port, or be made. */
const world = (options: Partial<InspectorOptions>, owned = true) => {
  const api = new FakeApi();
  const enrolled: unknown[] = [];
  const faults: BareMetalApiError[] = [];
  let isThere = owned;
  const discovery: NodeDiscovery = {
    ownerOfPort: async (address) => {
      const fault = faults.shift();
      if (fault) throw fault;
      return isThere && address === MAC ? NODE : null;
    },
    enroll: async (node) => {
      enrolled.push(node);
      isThere = true;
      api.provisionState = 'enroll';
      return (await api.node(NODE))!;
    },
  };
  return { ...setUp(options, { api, discovery }), enrolled, faults };
};

describe('data of a machine in use that nobody has started', () => {
  it.each(['active', 'rescue'])('in %s is taken where that is permitted, and power stays as it is', async (state) => {
    const { api, inspector, settle, status } = world({ permitActive: true });
    api.provisionState = state;
    expect(await inspector.continue('rest', dataOf(MAC))).toEqual({ status: 200, body: { uuid: NODE } });
    await settle();
    expect(await status()).toMatchObject({ state: 'finished', error: null });
    expect(api.calls.filter((call) => call.startsWith('power'))).toEqual([]);
    expect(api.properties).toHaveProperty('cpus', '4');
    expect((await inspector.data('rest', NODE, 'processed')).body).not.toHaveProperty('auto_discovered');
  });

  it('may be started as well', async () => {
    const { api, start, status } = world({ permitActive: true });
    api.provisionState = 'active';
    expect(await start()).toBe(202);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });

  it('is refused where it is not permitted, and where the node is not in use', async () => {
    const plain = world({});
    plain.api.provisionState = 'active';
    expect((await plain.inspector.continue('rest', dataOf(MAC))).status).toBe(400);
    const idle = world({ permitActive: true });
    idle.api.provisionState = 'manageable';
    expect((await idle.inspector.continue('rest', dataOf(MAC))).status).toBe(400);
    expect((await idle.inspector.status('rest', NODE)).status).toBe(404);
  });

  it('is refused with the reason while the API does not help', async () => {
    const { inspector, faults } = world({ permitActive: true });
    faults.push(new BareMetalApiError(503, 'busy'));
    expect(await inspector.continue('rest', dataOf(MAC))).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('busy') } },
    });
  });
});

describe('data of a machine that nobody knows', () => {
  const options = { enrollDriver: 'ipmi' };

  it('makes a node, which is introspected by it', async () => {
    const { api, inspector, settle, status, enrolled } = world(options, false);
    const inventory = { ...(dataOf(MAC)['inventory'] as object), bmc_address: '192.0.2.9' };
    expect(await inspector.continue('rest', dataOf(MAC, { inventory }))).toEqual({ status: 200, body: { uuid: NODE } });
    await settle();
    expect(enrolled).toEqual([{ driver: 'ipmi', driverInfo: { ipmi_address: '192.0.2.9' } }]);
    expect(await status()).toMatchObject({ state: 'finished', error: null });
    expect((await inspector.data('rest', NODE, 'processed')).body).toMatchObject({ auto_discovered: true });
    expect(api.calls.filter((call) => call.startsWith('power'))).toEqual([]);
  });

  it('makes one node of a machine that posts twice at once', async () => {
    const { inspector, enrolled } = world(options, false);
    const answers = await Promise.all([1, 2].map(() => inspector.continue('rest', dataOf(MAC))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(enrolled).toHaveLength(1);
  });

  it.each([
    ['says that its ramdisk failed', { error: 'no disks' }],
    ['names no interface', { inventory: { interfaces: [] } }],
  ])('makes none where it %s', async (_case, changes) => {
    const { inspector, enrolled } = world(options, false);
    expect((await inspector.continue('rest', dataOf(MAC, changes))).status).toBe(400);
    expect(enrolled).toEqual([]);
  });

  it('makes none where its address is that of a node', async () => {
    const { inspector, enrolled } = world(options);
    expect(await inspector.continue('rest', dataOf(MAC))).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(NODE) } },
    });
    expect(enrolled).toEqual([]);
  });

  it('lets rules tell such nodes from others', async () => {
    const { api, inspector } = world(options, false);
    const conditions = [{ op: 'eq', field: 'data://auto_discovered', value: true }];
    await inspector.createRule({ conditions, actions: [{ action: 'add-trait', name: 'CUSTOM_NEW' }] }, 201);
    await inspector.continue('rest', dataOf(MAC));
    expect(api.calls).toContain('addTrait CUSTOM_NEW');
  });

  it('lets a node without ports and BMC be started, since its data will make it known', async () => {
    const { api, start, status } = world(options);
    api.portList = [];
    expect(await start()).toBe(202);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });
});
