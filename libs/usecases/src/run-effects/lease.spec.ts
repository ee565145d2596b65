import { LogUnavailable } from '@lib/ports';
import { NODE, World, documentOf, endings, eventData, manageable, provision, waiting } from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const synchronous = { inspect_interface: 'fake' };

describe('a worker and its leases', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
  });
  afterEach(() => world.stop());

  const warnings = () => world.records.filter(({ level }) => level === 'warn' || level === 'error');

  it('asks a store that can not be read again, instead of failing the work', async () => {
    await manageable(world, NODE, synchronous);
    const { log } = world.memory;
    world.script.play('inspect', async (_asked, call) => {
      const broken = jest.spyOn(log, 'readStream').mockRejectedValue(new LogUnavailable('the connection was lost'));
      world.clock.after(5000, () => broken.mockRestore());
      await call.stillStands();
      return { returned: 'MANAGEABLE' };
    });
    await world.do(provision('inspect'));
    await world.clock.advanceBy(4000);
    expect(world.script.calls('inspect')).toHaveLength(1);
    await world.clock.advanceBy(2000);
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });

  it('touches no hardware any more when another worker has its effect', async () => {
    await manageable(world, NODE, synchronous);
    const told: string[] = [];
    world.script.play('inspect', async (_asked, call) => {
      await new Promise<void>((resolve) => world.clock.after(40_000, resolve));
      await call.stillStands().then(
        () => told.push('goes on'),
        () => told.push(`stops, ${call.signal.aborted ? 'the call aborted' : 'unaware'}`),
      );
      return { returned: 'MANAGEABLE' };
    });
    await world.do(provision('inspect'));
    const now = world.clock.now();
    const [stolen] = await world.memory.leases.claim('thief', now + 15_001, 60_000, 1);
    expect(stolen).toMatchObject({ claim: 2 });
    await world.clock.advanceBy(45_000);
    expect(told).toEqual(['stops, the call aborted']);
    expect(await endings(world)).toEqual([]);
  });

  it('goes on with its own work when it finds it free, having stood still beyond its lease', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    const renewals = jest.spyOn(world.memory.leases, 'renew').mockRejectedValue(new LogUnavailable('standing still'));
    await world.clock.advanceBy(30_000);
    renewals.mockRestore();
    await world.clock.advanceBy(1000);
    expect(warnings().map(({ text }) => text)).toContainEqual(expect.stringContaining('stood still'));
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    expect(world.script.calls('inspect')).toHaveLength(1);
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });

  it('with on_restart = fail, fails what it takes over, and lets the old worker bring nothing', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    await conductor.kill();
    await world.conductor({ host: 'conductor-2', onRestart: 'fail' });
    await world.clock.advanceBy(14_000);
    expect(await endings(world)).toEqual([]);
    await world.clock.advanceBy(2_000);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      reservation: null,
      last_error: expect.stringMatching(/by conductor conductor-2 after a conductor take over/) as string,
    });
    expect(await eventData(world, 'InspectionFailed')).toMatchObject([{ interrupted: 'takeover', effect: 2 }]);
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(60_000);
    expect(await endings(world)).toEqual(['InspectionFailed']);
    expect(world.script.calls('inspect')).toHaveLength(1);
  });

  it('with on_restart = fail, takes up again what a waiting node had asked of its inspector', async () => {
    const start = world.script.hold('start');
    await waiting(world);
    await conductor.kill();
    await world.conductor({ host: 'conductor-2', onRestart: 'fail' });
    await world.clock.advanceBy(16_000);
    expect(start.waiting()).toBe(2);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
    start.answer();
    await world.settle();
    expect(await endings(world)).toEqual([]);
  });

  it('with on_restart = fail, begins what nobody had begun', async () => {
    await conductor.kill();
    world.script.obey('inspect');
    await world.conductor({ host: 'conductor-2', onRestart: 'fail' });
    await manageable(world, NODE, synchronous);
    await world.do(provision('inspect'));
    expect(await endings(world)).toEqual(['InspectionFinished']);
  });
});
