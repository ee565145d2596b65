import type { Command } from '@lib/contracts';
import { verifyLog } from '../verify-log';
import { AllocationMatcher } from '.';
import {
  NODE,
  World,
  conductorOptions,
  creation,
  documentOf,
  maintain,
  manageable,
  patch,
  powerTo,
  provision,
  removal,
  replace,
  uuidOf,
} from '../../../../test/world';

const matching = { matchesAllocations: true };
const OTHER = uuidOf(2);
const [FIRST, SECOND] = [uuidOf(91), uuidOf(92)];

const allocate = (uuid: string, fields: Record<string, unknown> = {}, nodeUuid: string | null = null): Command => ({
  type: 'CreateResource',
  kind: 'allocation',
  uuid,
  nodeUuid,
  fields: { resource_class: 'gold', ...fields },
  minor: 82,
});
const release = (uuid: string): Command => ({ type: 'RemoveResource', kind: 'allocation', uuid, nodeUuid: null });
const traits = (uuid: string, ...names: string[]): Command => ({
  type: 'ChangeTraits',
  of: 'node',
  uuid,
  change: { set: names },
});

describe('allocations', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(async () => {
    await everythingFollowsFromTheLog();
    await world.stop();
  });

  async function everythingFollowsFromTheLog(): Promise<void> {
    const { log: reader, derived } = world.memory;
    const differences: unknown[] = [];
    const options = { errorCharsMax: 4096, historyEntriesMax: 300 };
    await verifyLog({ reader, derived, options }, { onDifference: (one) => differences.push(one) });
    expect(differences).toEqual([]);
  }

  async function available(uuid = NODE, fields: Record<string, unknown> = {}): Promise<void> {
    await manageable(world, uuid, { resource_class: 'gold', ...fields });
    await world.do(powerTo('power off', uuid));
    await world.do(provision('provide', uuid));
    expect(await documentOf(world, uuid)).toMatchObject({ provision_state: 'available' });
  }
  const allocation = async (uuid: string): Promise<Record<string, unknown> | null> => {
    const [stored] = await world.memory.readModel.get('allocation', [uuid]);
    return stored ? (JSON.parse(stored.json) as Record<string, unknown>) : null;
  };
  const eventsOf = async (stream: string) =>
    (await world.memory.log.readStream(stream, 0, 100)).map(({ type }) => type);

  it('take a free node: it and the allocation change in one append', async () => {
    await world.conductor(matching);
    await available();
    await world.do(traits(NODE, 'CUSTOM_A', 'CUSTOM_B'));
    await world.do(allocate(FIRST, { traits: ['CUSTOM_A'] }));
    expect(await allocation(FIRST)).toMatchObject({ state: 'active', node_uuid: NODE, last_error: null });
    expect(await documentOf(world)).toMatchObject({
      instance_uuid: FIRST,
      allocation_uuid: FIRST,
      instance_info: { traits: ['CUSTOM_A'] },
    });
    const [, change] = await world.memory.log.readStream(`allocation/${FIRST}`, 0, 10);
    const written = await world.memory.log.readCommand(
      (JSON.parse(change?.meta ?? '{}') as { commandId: string }).commandId,
    );
    expect(written.map(({ type }) => type).sort()).toEqual(['AllocationChanged', 'NodeAllocated']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['of the class', { resource_class: 'iron' }],
    ['with the traits', { traits: ['CUSTOM_Z'] }],
    ['among the candidates', { candidate_nodes: [OTHER] }],
    ['of the owner', { owner: 'alice' }],
  ])('end in error, with the reason, where no node is there %s', async (_, fields) => {
    await world.conductor(matching);
    await available();
    await world.do(allocate(FIRST, fields));
    expect(await allocation(FIRST)).toMatchObject({ state: 'error', node_uuid: null });
    expect((await allocation(FIRST))?.['last_error']).toContain(FIRST);
    expect(await documentOf(world)).toMatchObject({ instance_uuid: null, allocation_uuid: null });
  });

  it('prefer the node that has their name', async () => {
    await world.conductor(matching);
    for (const n of [1, 2, 3, 4]) await available(uuidOf(n), { name: `node-${n}` });
    await world.do(allocate(FIRST, { name: 'node-3' }));
    expect(await allocation(FIRST)).toMatchObject({ node_uuid: uuidOf(3) });
  });

  it('never get one node twice, whoever matches them', async () => {
    const one = await world.conductor({ host: 'conductor-1', ...matching });
    const two = await world.conductor({ host: 'conductor-2', ...matching });
    await available();
    const sent = [world.send(allocate(FIRST), { to: one }), world.send(allocate(SECOND), { to: two })];
    await world.settle();
    expect(sent.every(({ reply }) => reply?.ok)).toBe(true);
    const states = [(await allocation(FIRST))?.['state'], (await allocation(SECOND))?.['state']];
    expect([...states].sort()).toEqual(['active', 'error']);
    const winner = states[0] === 'active' ? FIRST : SECOND;
    expect(await documentOf(world)).toMatchObject({ instance_uuid: winner, allocation_uuid: winner });
    expect((await eventsOf(`node/${NODE}`)).filter((type) => type === 'NodeAllocated')).toHaveLength(1);
  });

  it('share out what there is when many come at once', async () => {
    await world.conductor(matching);
    for (const n of [1, 2, 3]) await available(uuidOf(n));
    const uuids = [91, 92, 93, 94, 95].map(uuidOf);
    uuids.forEach((uuid) => world.send(allocate(uuid)));
    await world.settle();
    const all = await Promise.all(uuids.map(allocation));
    const nodes = all.map((one) => one?.['node_uuid']).filter((node) => node !== null);
    expect([...nodes].sort()).toEqual([1, 2, 3].map(uuidOf));
    expect(all.filter((one) => one?.['state'] === 'error')).toHaveLength(2);
  });

  it('are taken up by the next conductor when theirs dies on the way', async () => {
    const dead = await world.conductor({ host: 'conductor-1' });
    await available();
    await world.do(allocate(FIRST));
    expect(await allocation(FIRST)).toMatchObject({ state: 'allocating' });
    await dead.kill();
    await world.conductor({ host: 'conductor-2', ...matching });
    await world.settle();
    expect(await allocation(FIRST)).toMatchObject({ state: 'active', node_uuid: NODE });
  });

  it('are looked for again after the store was in trouble', async () => {
    await world.conductor({ host: 'conductor-1' });
    await available();
    await world.do(allocate(FIRST));
    world.memory.store.fault = 'disk full';
    await world.conductor({ host: 'conductor-2', ...matching });
    await world.settle();
    expect(await allocation(FIRST)).toMatchObject({ state: 'allocating' });
    world.memory.store.fault = null;
    await world.clock.advanceBy(1000);
    expect(await allocation(FIRST)).toMatchObject({ state: 'active' });
  });

  it('wait for a locked node, then give up', async () => {
    await world.conductor(matching);
    await available();
    const power = world.script.hold('power');
    await world.do(powerTo('power on'));
    await world.do(allocate(FIRST));
    await world.clock.advanceBy(2000);
    expect(await allocation(FIRST)).toMatchObject({ state: 'allocating' });
    await world.do(allocate(SECOND));
    await world.clock.advanceBy(2000);
    expect(await allocation(FIRST)).toMatchObject({ state: 'error' });
    expect((await allocation(FIRST))?.['last_error']).toContain('locked');
    expect(await allocation(SECOND)).toMatchObject({ state: 'allocating' });
    power.answer({ powerState: 'power on', changed: true });
    await world.settle();
    expect(await allocation(SECOND)).toMatchObject({ state: 'active' });
  });

  describe('that have a node', () => {
    beforeEach(async () => {
      await world.conductor(matching);
      await available();
      await world.do(allocate(FIRST));
    });

    const freed = { instance_uuid: null, allocation_uuid: null };

    it('free it when they are deleted', async () => {
      await world.do(release(FIRST));
      expect(await allocation(FIRST)).toBeNull();
      expect(await documentOf(world)).toMatchObject({ ...freed, instance_info: {} });
      expect(await world.ask(release(FIRST))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    });

    it('go with its instance', async () => {
      await world.do(patch([{ op: 'remove', path: '/instance_uuid' }]));
      expect(await allocation(FIRST)).toBeNull();
      expect(await documentOf(world)).toMatchObject(freed);
    });

    it('have no node when that is deleted in maintenance', async () => {
      await world.do(maintain());
      await world.do(removal());
      expect(await allocation(FIRST)).toMatchObject({ state: 'active', node_uuid: null });
      await world.do(release(FIRST));
      expect(await allocation(FIRST)).toBeNull();
    });

    it('are renamed, and keep the rest', async () => {
      const rename: Command = {
        type: 'PatchResource',
        kind: 'allocation',
        uuid: FIRST,
        nodeUuid: null,
        patch: [replace('/name', 'mine'), replace('/extra', { a: 1 })],
        minor: 82,
      };
      await world.do(rename);
      expect(await allocation(FIRST)).toMatchObject({
        name: 'mine',
        extra: { a: 1 },
        state: 'active',
        node_uuid: NODE,
      });
    });
  });

  it('that wait for a node just end', async () => {
    await world.conductor();
    await world.do(allocate(FIRST));
    await world.do(release(FIRST));
    expect(await allocation(FIRST)).toBeNull();
  });

  it('last as long as the instance: it can not be deleted before that is torn down, and goes with it', async () => {
    await world.conductor(matching);
    await available();
    await world.do(allocate(FIRST));
    await world.do(provision('active'));
    expect(await documentOf(world)).toMatchObject({ provision_state: 'active', allocation_uuid: FIRST });
    expect(await world.ask(release(FIRST))).toMatchObject({ code: 'STATE_CONFLICT' });
    await world.do(provision('deleted'));
    expect(await documentOf(world)).toMatchObject({ provision_state: 'available', allocation_uuid: null });
    expect(await allocation(FIRST)).toBeNull();
    expect(await eventsOf(`allocation/${FIRST}`)).toEqual([
      'AllocationCreated',
      'AllocationChanged',
      'AllocationRemoved',
    ]);
  });

  it('are made for a node in use', async () => {
    await world.conductor(matching);
    await available();
    await world.do(provision('active'));
    expect(await world.ask(allocate(FIRST, { resource_class: 'iron' }, NODE))).toMatchObject({
      code: 'STATE_CONFLICT',
    });
    await world.do(allocate(FIRST, { resource_class: null, name: 'mine' }, NODE));
    expect(await allocation(FIRST)).toMatchObject({ state: 'active', node_uuid: NODE, resource_class: 'gold' });
    expect(await documentOf(world)).toMatchObject({ instance_uuid: FIRST, allocation_uuid: FIRST });
    expect(await world.ask(allocate(SECOND, {}, NODE))).toMatchObject({ code: 'NODE_ASSOCIATED' });
    expect(await allocation(SECOND)).toBeNull();
  });

  it('are refused for a node that is not in use, with nothing stored', async () => {
    await world.conductor(matching);
    await available();
    expect(await world.ask(allocate(FIRST, {}, NODE))).toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await allocation(FIRST)).toBeNull();
    expect(await world.ask(allocate(FIRST, {}, OTHER))).toMatchObject({ code: 'INVALID_PARAMETER' });
    await world.do(creation(OTHER));
    expect(await world.ask(allocate(FIRST, { name: 'no name!' }, OTHER))).toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it.each([
    [5000, 4999, 'active'],
    [0, 3_600_000, 'allocating'],
  ])(
    'left by another conductor are found within the interval, %d ms, if there is one',
    async (lookMs, quietMs, state) => {
      const { commits } = await world.conductor();
      await available();
      const { memory, clock, chance, logger } = world;
      const { log: reader, readModel } = memory;
      const options = conductorOptions('conductor-2');
      const matcher = new AllocationMatcher({ commits, reader, readModel, clock, chance, logger, options, lookMs });
      matcher.start();
      await world.settle();
      await world.do(allocate(FIRST));
      const stateOf = async (): Promise<unknown> => {
        const [stored] = await readModel.get('allocation', [FIRST]);
        return (JSON.parse(stored?.json ?? '{}') as Record<string, unknown>)['state'];
      };
      await clock.advanceBy(quietMs);
      expect(await stateOf()).toBe('allocating');
      await clock.advanceBy(1);
      expect(await stateOf()).toBe(state);
      await matcher.stop();
    },
  );
});
