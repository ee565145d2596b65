/** Crashed conductors, by the rules: one log, one clock, scripted hardware. With real processes: test/two-of-each. */
import { LogUnavailable, type AppendResult } from '@lib/ports';
import {
  NODE,
  World,
  documentOf,
  endings,
  eventTypes,
  maintain,
  manageable,
  provision,
  type ConductorSetup,
  type WorldConductor,
} from '../world';
import { expectSound } from './row';

const LEASE_MS = 15_000;

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(async () => {
  await world.stop();
  await expectSound({ log: world.memory.log, derived: world.memory.derived }, []);
});

const state = async () => (await documentOf(world))?.['provision_state'];
const attempts = async () => (await eventTypes(world)).filter((type) => type === 'InspectionStarted').length;

/** Ends a conductor in the middle of an inspection; each leaves the node as a `kill -9` at that point would. */
type Crash = (conductor: WorldConductor) => Promise<void>;

const inTheCall =
  (word: 'inspect' | 'start'): Crash =>
  async (conductor) => {
    world.script.hold(word);
    await world.do(provision('inspect'));
    await conductor.kill();
    world.script.obey(word);
  };

const beforeTheClaim: Crash = async (conductor) => {
  const none = jest.spyOn(world.memory.leases, 'claim').mockResolvedValue([]);
  await world.do(provision('inspect'));
  await conductor.kill();
  none.mockRestore();
  expect(world.script.calls('inspect')).toEqual([]);
};

const beforeItIsRecorded: Crash = async (conductor) => {
  world.script.play('inspect', () => {
    world.memory.store.fault = 'the process is gone';
    return { returned: 'INSPECTWAIT', manageBoot: false };
  });
  await world.do(provision('inspect'));
  await conductor.kill();
  world.memory.store.fault = null;
  world.script.obey('inspect');
};

const crashes: readonly (readonly [string, Crash])[] = [
  ['after the start is recorded, before anything is done', beforeTheClaim],
  ['while it starts: power, boot device', inTheCall('inspect')],
  ['after all is done, before the wait is recorded', beforeItIsRecorded],
  ['while the inspector is told', inTheCall('start')],
];

describe.each(crashes)('CRS-01: a conductor that dies %s', (_when, crash) => {
  it('takes the node up again at its restart [1.32]', async () => {
    const conductor = await world.conductor();
    await manageable(world);
    await crash(conductor);
    await world.conductor({ alone: true });
    await world.clock.advanceBy(5000);
    expect([await state(), await attempts(), await endings(world)]).toEqual(['inspect wait', 1, []]);
    expect(await documentOf(world)).toMatchObject({ reservation: null, last_error: null });
  });

  it('with on_restart = fail, fails the node at its restart, unless it waits already [1.32]', async () => {
    const conductor = await world.conductor();
    await manageable(world);
    await crash(conductor);
    const waits = (await state()) === 'inspect wait';
    await world.conductor({ alone: true, onRestart: 'fail' });
    expect(await documentOf(world)).toMatchObject(
      waits
        ? { provision_state: 'inspect wait', last_error: null }
        : {
            provision_state: 'inspect failed',
            target_provision_state: 'manageable',
            reservation: null,
            last_error: expect.stringMatching(/can't be resumed by conductor conductor-1 after a restart/) as string,
          },
    );
    await world.clock.advanceBy(60_000);
    expect(await endings(world)).toEqual(waits ? [] : ['InspectionFailed']);
  });
});

const takeovers: readonly (readonly [string, ConductorSetup, string])[] = [
  ['resumed', {}, 'manageable'],
  ['failed', { onRestart: 'fail' }, 'inspect failed'],
];

describe.each(takeovers)('CRS-03, CRS-04: work of a conductor that never comes back is %s', (_word, setup, end) => {
  it.each([
    ['outside maintenance', false],
    ['in maintenance', true],
  ])('after its lease, %s', async (_where, inMaintenance) => {
    const conductor = await world.conductor({ host: 'a' });
    await manageable(world, NODE, { inspect_interface: 'fake' });
    world.script.hold('inspect');
    await world.do(provision('inspect'));
    await conductor.kill();
    world.script.obey('inspect');
    await world.conductor({ host: 'b', ...setup });
    if (inMaintenance) await world.do(maintain());
    await world.clock.advanceBy(LEASE_MS - 1000);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'inspecting', reservation: 'a' });
    await world.clock.advanceBy(6000);
    expect(await documentOf(world)).toMatchObject({
      provision_state: end,
      reservation: null,
      maintenance: inMaintenance,
    });
    expect(await endings(world)).toHaveLength(1);
  });
});

describe('CRS-12: the database is away', () => {
  async function outage(ms: number): Promise<void> {
    await world.conductor({ host: 'a' });
    await manageable(world, NODE, { inspect_interface: 'fake' });
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    await world.conductor({ host: 'b' });
    world.memory.store.fault = 'the server is away';
    await world.clock.advanceBy(ms);
    world.memory.store.fault = null;
    await world.clock.advanceBy(2000);
    work.answer({ returned: 'MANAGEABLE' });
    await world.clock.advanceBy(10_000);
  }

  it('for less than a lease: the work stays where it is', async () => {
    await outage(3000);
    expect(world.script.calls('inspect')).toHaveLength(1);
    expect([await state(), await endings(world)]).toEqual(['manageable', ['InspectionFinished']]);
  });

  it('for longer: it ends once, whoever has it then, and both conductors go on without a restart', async () => {
    await outage(60_000);
    expect([await state(), await endings(world)]).toEqual(['manageable', ['InspectionFinished']]);
    world.script.obey('inspect');
    for (let round = 2; round <= 5; round += 1) {
      await world.do(provision('inspect'));
      await world.clock.advanceBy(1000);
      expect(await endings(world)).toHaveLength(round);
    }
  });
});

describe('CRS-17: the last step of an inspection', () => {
  const isTheEnd = (types: readonly string[]): boolean => types.includes('InspectionFinished');
  const conflict: AppendResult = { ok: false, conflict: { kind: 'version', stream: `node/${NODE}`, actual: 99 } };

  it.each([
    ['meets a version conflict', () => Promise.resolve(conflict)],
    ['meets a busy store', () => Promise.reject(new LogUnavailable('busy'))],
  ])('that %s three times is recorded all the same', async (_what, trouble) => {
    await world.conductor();
    await manageable(world, NODE, { inspect_interface: 'fake' });
    const { log } = world.memory;
    const append = log.append.bind(log);
    let troubles = 0;
    const spy = jest.spyOn(log, 'append').mockImplementation((one) => {
      const isEnd = isTheEnd(one.writes.flatMap(({ events }) => events.map(({ type }) => type)));
      return isEnd && troubles++ < 3 ? trouble() : append(one);
    });
    await world.do(provision('inspect'));
    await world.clock.advanceBy(10_000);
    spy.mockRestore();
    expect(troubles).toBe(4);
    expect([await state(), await endings(world)]).toEqual(['manageable', ['InspectionFinished']]);
    expect(world.script.calls('inspect')).toHaveLength(1);
    expect(await documentOf(world)).toMatchObject({ reservation: null });
  });
});
