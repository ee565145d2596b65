import type { Command } from '@lib/contracts';
import type { JsonObject, PortDocument } from '@lib/domain';
import { World, documentOf, eventTypes, removal, uuidOf } from '../../../../test/world';

const MAC = '52:54:00:00:00:01';
const setup = { discoveryDriver: 'fake-hardware' };
const post = (rest: Partial<Extract<Command, { type: 'ContinueInspection' }>> = {}, mac = MAC): Command => ({
  type: 'ContinueInspection',
  uuid: uuidOf(900),
  askedNode: null,
  inventory: { interfaces: [{ name: 'eth0', mac_address: mac }], cpu: { architecture: 'x86_64' } },
  pluginData: { root_disk: { name: '/dev/sda' } },
  tokenDigest: null,
  ...rest,
});

describe('posted data of a machine that nobody knows', () => {
  let world: World;
  afterEach(() => world.stop());

  async function begin(options: object = setup): Promise<void> {
    world = new World();
    await world.conductor({ inspection: options });
  }
  const refused = { ok: false, code: 'RESOURCE_NOT_FOUND', message: 'Resource could not be found.' };
  const found = async (command: Command = post()): Promise<string> => {
    const reply = await world.ask(command);
    expect(reply).toMatchObject({ ok: true });
    return (reply as unknown as { result: { uuid: string } }).result.uuid;
  };
  const rows = (kind: 'node' | 'port') =>
    world.memory.readModel.list({ kind, where: [], sort: { column: 'seq', descending: false }, limit: 10 });

  it('is refused as shipped', async () => {
    await begin({});
    expect(await world.ask(post())).toEqual(refused);
    expect(await rows('node')).toEqual([]);
  });

  it('makes it a node in enroll, with its ports, its properties and its data', async () => {
    await begin();
    const uuid = await found();
    expect(await documentOf(world, uuid)).toMatchObject({
      provision_state: 'enroll',
      driver: 'fake-hardware',
      properties: { cpu_arch: 'x86_64' },
      driver_info: {},
      last_error: null,
      reservation: null,
      inspection_finished_at: null,
    });
    const [port] = (await rows('port')) ?? [];
    expect(JSON.parse(port!.json) as PortDocument).toMatchObject({ address: MAC, node_uuid: uuid });
    const [kept] = await world.memory.readModel.get('node_inventory', [uuid]);
    const { plugin_data: hash } = JSON.parse(kept!.json) as { plugin_data: string };
    const plugin = JSON.parse(Buffer.from((await world.memory.readModel.readBlob(hash))!).toString()) as JsonObject;
    expect(plugin).toMatchObject({ auto_discovered: true, root_disk: { name: '/dev/sda' }, macs: [MAC] });
    expect(await eventTypes(world, uuid)).toEqual([
      'NodeEnrolled',
      'DiscoveryStarted',
      'NodeUpdated',
      'DiscoveryFinished',
    ]);
    expect([world.script.calls('power'), world.script.calls('inspect')]).toEqual([[], []]);
  });

  it('makes it one node, although it is posted many times at once and later again', async () => {
    await begin();
    const sent = [1, 2, 3].map(() => world.send(post()));
    await world.settle();
    const taken = sent.filter(({ reply }) => reply?.ok === true);
    expect(taken.length).toBeGreaterThanOrEqual(1);
    expect(await world.ask(post())).toEqual(refused);
    expect(await rows('node')).toHaveLength(1);
    expect(await rows('port')).toHaveLength(1);
  });

  it('that is no use leaves the node with the reason, and is for the same node when it comes again', async () => {
    await begin();
    const uuid = await found(post({ pluginData: { error: 'no disks' } }));
    expect(await documentOf(world, uuid)).toMatchObject({
      provision_state: 'enroll',
      last_error: expect.stringMatching(/^Failed to finish inspection: .*no disks/),
    });
    expect(await rows('port')).toEqual([]);
    expect(await found()).toBe(uuid);
    expect(await documentOf(world, uuid)).toMatchObject({ last_error: null, properties: { cpu_arch: 'x86_64' } });
  });

  it.each([
    ['its MACs, whatever address its BMC has that day', [null, '192.0.2.1', '192.0.2.2'], MAC],
    ['its BMC where it has no usable MAC, in every spelling', ['fd00::5', 'FD00:0::5'], 'none'],
  ])('is for the same node by %s', async (_what, addresses, mac) => {
    await begin();
    const interfaces = [{ name: 'eth0', mac_address: mac }];
    const sent = addresses.map((address) => ({ interfaces, bmc_address: address }));
    const uuids = [];
    for (const inventory of sent) uuids.push(await found(post({ inventory, pluginData: { error: 'no disks' } })));
    expect(new Set(uuids).size).toBe(1);
    expect(await rows('node')).toHaveLength(1);
  });

  it('makes it a node anew once that was removed', async () => {
    await begin();
    const uuid = await found();
    await world.do(removal(uuid));
    expect(await found()).toBe(uuid);
    expect(await documentOf(world, uuid)).toMatchObject({ provision_state: 'enroll' });
  });

  it('is nobody’s where it names a node, or anything of it is known', async () => {
    await begin();
    expect(await world.ask(post({ askedNode: uuidOf(77) }))).toEqual(refused);
    const uuid = await found();
    const inventory = {
      interfaces: [
        { name: 'eth0', mac_address: MAC },
        { name: 'eth1', mac_address: '52:54:00:00:00:02' },
      ],
    };
    expect(await world.ask(post({ inventory }))).toEqual(refused);
    expect((await rows('node'))?.map(({ id }) => id)).toEqual([uuid]);
  });

  it('is kept when its conductor dies over it', async () => {
    world = new World();
    const conductor = await world.conductor({ inspection: setup });
    const release = world.script.hold('power');
    const uuid = await found();
    await conductor.kill();
    await world.conductor({ host: 'conductor-2', inspection: setup });
    await world.clock.advanceBy(20_000);
    release.answer();
    expect((await eventTypes(world, uuid)).at(-1)).toBe('DiscoveryFinished');
  });
});
