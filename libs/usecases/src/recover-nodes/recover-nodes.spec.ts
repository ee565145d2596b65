import { recoverNodes } from '..';
import {
  World,
  conductorOptions,
  creation,
  documentOf,
  endings,
  eventData,
  manageable,
  provision,
  uuidOf,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const synchronous = { inspect_interface: 'fake' };
const nodes = Array.from({ length: 40 }, (_, i) => uuidOf(i + 1));

/** Nobody is left of those who took these inspections on; the last two nodes were reserved by a power change. */
async function abandoned(world: World, conductor: WorldConductor): Promise<void> {
  world.script.hold('inspect');
  world.script.hold('power');
  for (const node of nodes) await manageable(world, node, synchronous);
  for (const node of nodes.slice(0, -2)) await world.do(provision('inspect', node));
  for (const uuid of nodes.slice(-2)) {
    await world.do({ type: 'ChangePower', uuid, target: 'power on', timeoutSeconds: null });
  }
  await conductor.kill();
  world.script.obey('inspect');
  world.script.obey('power');
}

describe('recovery at the start of a conductor', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(() => world.stop());

  const historyTypes = async () => {
    const sort = { column: 'seq', descending: false };
    const rows = await world.memory.readModel.list({ kind: 'node_history', where: [], sort, limit: 1000 });
    return (rows ?? []).map(({ json }) => (JSON.parse(json) as { event_type: string }).event_type);
  };

  it('fails every node that was at work, not eight of them, before anything else happens', async () => {
    await abandoned(world, await world.conductor({ workersMax: 10 }));
    await world.conductor({ host: 'conductor-1', onRestart: 'fail', alone: true });
    for (const node of nodes.slice(0, -2)) {
      expect(await documentOf(world, node)).toMatchObject({
        provision_state: 'inspect failed',
        reservation: null,
        last_error: expect.stringContaining("can't be resumed by conductor conductor-1") as string,
      });
      expect(await eventData(world, 'InspectionFailed', node)).toMatchObject([{ interrupted: 'restart', attempt: 1 }]);
    }
    for (const node of nodes.slice(-2)) {
      expect(await documentOf(world, node)).toMatchObject({ target_power_state: null, reservation: null });
    }
    expect((await historyTypes()).filter((type) => type === 'transition')).toHaveLength(nodes.length - 2);
    await world.clock.advanceBy(60_000);
    expect(world.script.calls('inspect')).toHaveLength(10);
    for (const node of nodes.slice(0, -2)) expect(await endings(world, node)).toEqual(['InspectionFailed']);
  });

  it('leaves to its lease what another conductor may be at work on', async () => {
    await abandoned(world, await world.conductor({ workersMax: 10 }));
    await world.conductor({ host: 'conductor-2', onRestart: 'fail' });
    for (const node of nodes.slice(0, 10)) {
      expect(await documentOf(world, node)).toMatchObject({ provision_state: 'inspecting' });
    }
    await world.clock.advanceBy(16_000);
    const failed = await Promise.all(nodes.map((node) => eventData(world, 'InspectionFailed', node)));
    expect(failed.flat()).toHaveLength(10);
    expect(failed.flat().every(({ interrupted }) => interrupted === 'takeover')).toBe(true);
    // What nobody had begun is not interrupted: it is begun.
    for (const node of nodes.slice(10, -2)) expect(await endings(world, node)).toEqual(['InspectionFinished']);
  });

  it('resumes all of it by default', async () => {
    await abandoned(world, await world.conductor({ workersMax: 10 }));
    await world.conductor({ host: 'conductor-2', alone: true });
    await world.clock.advanceBy(16_000);
    for (const node of nodes.slice(0, -2)) expect(await endings(world, node)).toEqual(['InspectionFinished']);
    for (const node of nodes.slice(-2)) {
      expect(await documentOf(world, node)).toMatchObject({ power_state: 'power on', reservation: null });
    }
    expect(await historyTypes()).toEqual([]);
  });

  it('goes on over a node that it can not recover, and says which', async () => {
    const conductor = await world.conductor();
    await abandoned(world, conductor);
    const { clock, chance, logger, hardware, memory } = world;
    const broken = {
      ...hardware,
      inspect: (name: string) => {
        if (broken.calls++ === 3) throw new Error(`no interface ${name}`);
        return hardware.inspect(name);
      },
      calls: 0,
    };
    const { commits } = conductor;
    const options = conductorOptions('conductor-2');
    const deps = { commits, readModel: memory.readModel, hardware: broken, clock, chance, logger, options };
    const recovered = recoverNodes('all', deps);
    await world.settle();
    expect(await recovered).toBe(nodes.length - 1);
    expect(world.records.filter(({ text }) => text === 'a node could not be recovered')).toHaveLength(1);
  });

  it('stops where the log can not be written: the start is tried again', async () => {
    await abandoned(world, await world.conductor());
    world.memory.store.fault = 'disk full';
    await expect(world.conductor({ host: 'conductor-2', onRestart: 'fail', alone: true })).rejects.toThrow('disk full');
    world.memory.store.fault = null;
    await world.do(creation(uuidOf(99)));
  });
});
