import {
  NODE,
  World,
  documentOf,
  endings,
  eventData,
  eventTypes,
  maintain,
  manageable,
  patch,
  powerTo,
  provision,
  removal,
  uuidOf,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const fields = { inspect_interface: 'listening', driver_info: { rack_password: 'open sesame' } };

describe('an interface that hears how its inspections leave inspect wait', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
    await world.scheduler();
    await manageable(world, NODE, fields);
  });
  afterEach(() => world.stop());

  const told = () => world.script.calls('tell ending').map(({ wanted }) => wanted);
  const closed = async () => (await eventTypes(world)).filter((type) => type === 'EffectClosed').length;
  const ending = (outcome: string, attempt = 1) => ({ outcome, attempt, key: `${NODE}/${attempt}` });
  const reported = async (error: string | null) => {
    const startedAt = world.clock.now();
    world.script.play('report', () => ({ state: 'ended', startedAt, error, data: null }));
    await conductor.sync.run();
  };

  it.each<[string, () => Promise<unknown>]>([
    ['abort', () => world.do(provision('abort'))],
    ['timeout', () => world.clock.advanceBy(1_800_000)],
  ])('is told of %s once, with secrets open and a key of its own [1.27]', async (outcome, end) => {
    await world.do(provision('inspect'));
    await end();
    await world.clock.advanceBy(120_000);
    expect(told()).toEqual([ending(outcome)]);
    expect(world.script.calls('tell ending')[0]?.machine).toMatchObject({
      attempt: 1,
      driverInfo: { rack_password: 'open sesame' },
    });
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect failed', reservation: null });
  });

  it('is told of each attempt under another key, before the next one starts', async () => {
    await world.do(provision('inspect'));
    const first = world.script.hold('tell ending');
    await world.do(provision('abort'));
    await world.do(provision('inspect'));
    expect(world.script.calls('inspect')).toHaveLength(1);
    first.answer();
    await world.settle();
    world.script.obey('tell ending');
    expect(world.script.calls('inspect')).toHaveLength(2);
    await world.do(provision('abort'));
    await world.settle();
    expect(told()).toEqual([ending('abort'), ending('abort', 2)]);
  });

  it('is told nothing of an attempt that never waited [1.27]', async () => {
    world.script.refuse('inspect', new Error('no rack'));
    await world.do(provision('inspect'));
    world.script.play('inspect', () => ({ returned: 'MANAGEABLE' }));
    await world.do(provision('inspect'));
    expect([await endings(world), told()]).toEqual([['InspectionFailed', 'InspectionFinished'], []]);
  });

  it('is told by the successor of a conductor that was killed between the ending and the call [1.27]', async () => {
    await conductor.stop();
    const busy = await world.conductor({ host: 'conductor-2', workersMax: 1 });
    const other = uuidOf(2);
    await manageable(world, other, fields);
    await world.do(provision('inspect'));
    world.script.hold('power');
    await world.do(powerTo('power on', other));
    await world.clock.advanceBy(1_800_000 - 1000);
    await world.do(powerTo('power on', other));
    await world.clock.advanceBy(1000);
    expect([await endings(world), told()]).toEqual([['InspectionTimedOut'], []]);
    await busy.kill();
    world.script.obey('power');
    await world.conductor({ host: 'conductor-3' });
    await world.clock.advanceBy(120_000);
    expect(told()).toEqual([ending('timeout')]);
    expect(await closed()).toBe(1);
  });

  it.each(['resume', 'fail'] as const)(
    'is called again under the same key when a conductor is killed in the call, and its outcome is noted once (%s) [1.27]',
    async (onRestart) => {
      await world.do(provision('inspect'));
      const dead = world.script.hold('tell ending');
      await world.clock.advanceBy(1_800_000);
      expect(told()).toEqual([ending('timeout')]);
      await conductor.kill();
      world.script.obey('tell ending');
      await world.conductor({ host: 'conductor-2', onRestart });
      await world.clock.advanceBy(60_000);
      dead.answer();
      await world.clock.advanceBy(60_000);
      expect(told()).toEqual([ending('timeout'), ending('timeout')]);
      expect([await endings(world), await closed()]).toEqual([['InspectionTimedOut'], 1]);
      expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect failed' });
    },
  );

  it('is not asked again when it fails or hangs: the reason of the ending is extended, and the node goes on', async () => {
    await world.do(provision('inspect'));
    world.script.hold('tell ending');
    await world.do(provision('abort'));
    await world.clock.advanceBy(600_000);
    expect(told()).toHaveLength(1);
    const problems = (await eventData(world, 'CleanUpFailed')).map(({ problem }) => problem);
    expect(problems).toEqual([expect.stringMatching(/listening failed .*: no answer within 30 seconds$/)]);
    expect((await documentOf(world))?.['last_error']).toMatch(/^Inspection was aborted by request\. Also: /);
    world.script.obey('tell ending');
    await world.do(provision('inspect'));
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspect wait' });
  });

  it('is told of a node that is deleted, and the deletion does not wait for it', async () => {
    await world.do(provision('inspect'));
    const slow = world.script.hold('tell ending');
    await world.do(maintain());
    await world.do(removal());
    expect(await documentOf(world)).toBeNull();
    await world.settle();
    expect(told()).toEqual([ending('deleted')]);
    expect(world.script.calls('tell ending')[0]?.machine?.driverInfo).toEqual({ rack_password: 'open sesame' });
    slow.refuse(new Error('rack gone'));
    await world.settle();
    expect(world.records.filter(({ level }) => level === 'warn').map(({ fields: shown }) => shown)).toEqual([
      { node: NODE, attempt: 1, interface: 'listening', reason: 'Error: rack gone' },
    ]);
  });

  it('is the one that the attempt began with, also when its node was given another one meanwhile', async () => {
    await world.do(provision('inspect'));
    await world.do(maintain());
    await world.do(patch([{ op: 'replace', path: '/inspect_interface', value: 'agent' }]));
    await world.do(provision('abort'));
    await world.settle();
    expect(world.script.calls('tell ending').map((call) => [call.interface, call.wanted])).toEqual([
      ['listening', ending('abort')],
    ]);
    expect(world.script.calls('power')).toEqual([]);
  });

  it('says so when it can not be told any more, since nobody brings it', async () => {
    await world.do(provision('inspect'));
    const { inspect } = world.hardware;
    jest.spyOn(world.hardware, 'inspect').mockImplementation((name) => {
      const { leftInspectWait, ...rest } = inspect(name);
      return rest;
    });
    await world.do(provision('abort'));
    await world.settle();
    expect((await eventData(world, 'CleanUpFailed')).map(({ problem }) => problem)).toEqual([
      expect.stringContaining('inspect interface listening does not take it'),
    ]);
  });

  it.each([
    ['done', null],
    ['fail', 'no disks'],
  ])('is told of %s by what its peer reports [1.27]', async (outcome, error) => {
    await conductor.stop();
    conductor = await world.conductor({ host: 'conductor-2', reporting: ['listening'] });
    await world.do(provision('inspect'));
    await reported(error);
    await world.settle();
    expect(told()).toEqual([ending(outcome)]);
  });
});
