import type { Command, PatchOperation } from '@lib/contracts';
import {
  NODE,
  World,
  documentOf,
  eventTypes,
  maintain,
  manageable,
  provision,
  removal,
  replace,
  streamOf,
  uuidOf,
  waiting,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const ok = { ok: true, result: {} };
const OTHER = uuidOf(2);
const PORT = uuidOf(90);
const MAC = '52:54:00:aa:00:01';

const portCreation = (uuid = PORT, address = MAC, nodeUuid = NODE): Command => ({
  type: 'CreateResource',
  kind: 'port',
  minor: 82,
  uuid,
  nodeUuid,
  fields: { address },
});
const portPatch = (patch: PatchOperation[], nodeUuid = NODE, uuid = PORT): Command => ({
  type: 'PatchResource',
  kind: 'port',
  uuid,
  nodeUuid,
  patch,
  minor: 82,
});
const portRemoval = (nodeUuid = NODE, uuid = PORT): Command => ({
  type: 'RemoveResource',
  kind: 'port',
  uuid,
  nodeUuid,
});

describe('ports and the removal of nodes', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await manageable(world);
    await manageable(world, OTHER);
  });
  afterEach(() => world.stop());

  const portOf = async (uuid = PORT): Promise<Record<string, unknown> | null> => {
    const [port] = await world.memory.readModel.get('port', [uuid]);
    return port ? (JSON.parse(port.json) as Record<string, unknown>) : null;
  };
  const macOwners = (...macs: string[]) => world.memory.readModel.owners('port.address', macs);

  it('creates, changes and removes a port, its address in lower case', async () => {
    await world.do(portCreation(PORT, MAC.toUpperCase()));
    expect(await portOf()).toMatchObject({ address: MAC, node_uuid: NODE, pxe_enabled: true, updated_at: null });
    await world.do(portPatch([replace('/address', '52:54:00:AA:00:02')]));
    expect(await portOf()).toMatchObject({ address: '52:54:00:aa:00:02' });
    expect([...(await macOwners(MAC, '52:54:00:aa:00:02')).keys()]).toEqual(['52:54:00:aa:00:02']);
    await world.do(portRemoval());
    expect(await portOf()).toBeNull();
    expect(await macOwners(MAC, '52:54:00:aa:00:02')).toEqual(new Map());
    await world.do(portCreation());
    expect(await portOf()).toMatchObject({ address: MAC });
  });

  it('does not move the node: its stream and its stamps stay', async () => {
    const before = await documentOf(world);
    await world.clock.advanceBy(5000);
    await world.do(portCreation());
    expect(await documentOf(world)).toEqual(before);
  });

  it('refuses an address that another port has, also of two that come at once', async () => {
    const sent = [world.send(portCreation()), world.send(portCreation(uuidOf(91), MAC.toUpperCase(), OTHER))];
    await world.settle();
    expect(sent.map(({ reply }) => reply)).toEqual([ok, expect.objectContaining({ code: 'DUPLICATE_MAC' })]);
    expect(await portOf(uuidOf(91))).toBeNull();
    await world.do(portCreation(uuidOf(91), '52:54:00:aa:00:09'));
    expect(await world.ask(portPatch([replace('/address', MAC)], NODE, uuidOf(91)))).toMatchObject({
      code: 'DUPLICATE_MAC',
    });
  });

  it.each([
    ['a node that is not there', portCreation(PORT, MAC, uuidOf(77)), 'INVALID_PARAMETER'],
    ['an address that is none', portCreation(PORT, 'not-a-mac'), 'INVALID_PARAMETER'],
    ['a change of a port that is not there', portPatch([replace('/pxe_enabled', false)]), 'RESOURCE_NOT_FOUND'],
    ['a removal of a port that is not there', portRemoval(), 'RESOURCE_NOT_FOUND'],
  ])('refuses %s', async (_name, command, code) => {
    expect(await world.ask(command)).toMatchObject({ ok: false, code });
    expect(await portOf()).toBeNull();
  });

  it('creates a port while its node is reserved, and removes it only after the release', async () => {
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    await world.do(portCreation());
    const removing = world.send(portRemoval());
    await world.clock.advanceBy(1000);
    expect(removing.reply).toBeNull();
    work.refuse(new Error('no'));
    await world.settle();
    expect(removing.reply).toEqual(ok);
  });

  it('moves a port to another node', async () => {
    await world.do(portCreation());
    await world.do(portPatch([replace('/node_uuid', OTHER)]));
    expect(await portOf()).toMatchObject({ node_uuid: OTHER });
    expect(await world.ask(portPatch([replace('/pxe_enabled', false)], NODE))).toMatchObject({ code: 'UNAVAILABLE' });
    await world.do(portPatch([replace('/pxe_enabled', false)], OTHER));
    expect(await world.ask(portPatch([replace('/node_uuid', uuidOf(77))], OTHER))).toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  });

  it.each([
    ['one conductor', false],
    ['two conductors', true],
  ])('leaves no port without its node: a port that comes while the node goes, with %s', async (_name, two) => {
    const other = two ? await world.conductor({ host: 'conductor-2' }) : conductor;
    for (let round = 0; round < 30; round += 1) {
      const node = uuidOf(1000 + round);
      const moving = uuidOf(3000 + round);
      await manageable(world, node);
      await world.do(portCreation(moving, `52:54:00:bb:01:${(16 + round).toString(16)}`, OTHER));
      const created = portCreation(uuidOf(2000 + round), `52:54:00:bb:00:${(16 + round).toString(16)}`, node);
      const moved = portPatch([replace('/node_uuid', node)], OTHER, moving);
      const order = [removal(node), created, moved];
      const turned = [...order.slice(round % 3), ...order.slice(0, round % 3)];
      turned.forEach((command, index) => world.send(command, { to: index % 2 === 0 ? conductor : other }));
      await world.clock.advanceBy(1000);
      expect(await documentOf(world, node)).toBeNull();
      expect(await portOf(uuidOf(2000 + round))).toBeNull();
      expect((await portOf(moving))?.['node_uuid'] ?? OTHER).toBe(OTHER);
    }
  });

  it('removes a node with all that belongs to it', async () => {
    const { store } = world.memory;
    world.script.play('report', () => ({
      state: 'ended',
      startedAt: world.clock.now(),
      error: null,
      data: { inventory: {} },
    }));
    await waiting(world, uuidOf(3), { name: 'n3', instance_uuid: uuidOf(50), driver_info: { password: 'x' } });
    await conductor.sync.run();
    world.script.refuse('inspect', new Error('broken'));
    await world.do(provision('inspect', uuidOf(3)));
    for (let index = 0; index < 3; index += 1) {
      await world.do(portCreation(uuidOf(100 + index), `52:54:00:cc:00:0${index}`, uuidOf(3)));
    }
    world.script.hold('inspect');
    await world.do(provision('inspect', uuidOf(3)));
    expect([store.keys.size, store.effects.claim('look', 0, 0, 99).length]).toEqual([1, 0]);
    await world.do(maintain(uuidOf(3)));
    await world.do(removal(uuidOf(3)));
    const { readModel } = world.memory;
    const list = (kind: string) =>
      readModel.list({ kind, where: [], sort: { column: 'seq', descending: false }, limit: 99 });
    expect(await list('port')).toEqual([]);
    expect(await list('node_history')).toEqual([]);
    expect(await list('node_inventory')).toEqual([]);
    expect((await list('node'))?.map(({ id }) => id)).toEqual([NODE, OTHER]);
    expect(await readModel.owners('node.name', ['n3'])).toEqual(new Map());
    expect(await readModel.owners('node.instance_uuid', [uuidOf(50)])).toEqual(new Map());
    expect(await macOwners('52:54:00:cc:00:00', '52:54:00:cc:00:01')).toEqual(new Map());
    expect(store.deadlines.size).toBe(0);
    expect(store.keys.size).toBe(0);
    expect(await world.memory.leases.claim('look', Number.MAX_SAFE_INTEGER, 1, 99)).toEqual([]);
    const last = (await world.memory.log.readAll(0, 10_000))
      .slice(-5)
      .map(({ type, stream }) => `${type} ${stream.split('/')[0]}`);
    expect(last).toEqual([
      'InspectionRemoved node',
      'NodeRemoved node',
      'PortRemoved port',
      'PortRemoved port',
      'PortRemoved port',
    ]);
  });

  it('goes on counting when a node comes back under its uuid, and owes nothing of its former life', async () => {
    await waiting(world, uuidOf(3));
    await world.ask(provision('abort', uuidOf(3)));
    const { counters } = await streamOf(world, uuidOf(3));
    await world.do(maintain(uuidOf(3)));
    await world.do(removal(uuidOf(3)));
    await waiting(world, uuidOf(3));
    const after = await streamOf(world, uuidOf(3));
    expect(after.counters.attempt).toBe(counters.attempt + 1);
    expect(after.counters.effect).toBeGreaterThan(counters.effect);
    expect(after.counters.deadline).toBeGreaterThan(counters.deadline);
    expect(await documentOf(world, uuidOf(3))).toMatchObject({ last_error: null, provision_state: 'inspect wait' });
    expect((await eventTypes(world, uuidOf(3))).filter((type) => type === 'NodeEnrolled')).toHaveLength(2);
  });

  it('does not hand the outcome of work for a former life to the new one', async () => {
    await manageable(world, uuidOf(3), { inspect_interface: 'fake' });
    const work = world.script.hold('inspect');
    await world.do(provision('inspect', uuidOf(3)));
    await world.do(maintain(uuidOf(3)));
    await world.do(removal(uuidOf(3)));
    await manageable(world, uuidOf(3), { inspect_interface: 'fake' });
    await world.do(provision('inspect', uuidOf(3)));
    expect(work.waiting()).toBe(2);
    work.refuse(new Error('of the former life'));
    world.script.obey('inspect');
    await world.settle();
    const errors = (await eventTypes(world, uuidOf(3))).filter((type) => type === 'InspectionFailed');
    expect(errors).toHaveLength(1);
  });
});
