import { LogUnavailable } from '@lib/ports';
import { NODE, World, documentOf, endings, eventData, manageable, provision } from '../../../../test/world';

const synchronous = { inspect_interface: 'fake' };

describe('the effect worker, with data for which the log has no room', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
  });
  afterEach(() => world.stop());

  const found = { returned: 'MANAGEABLE', data: { inventory: { interfaces: [] }, pluginData: {} } };

  it.each([
    ['says so', new LogUnavailable('no room for large things')],
    ['breaks', new TypeError('no room for large things')],
  ])('of a store that %s, ends the attempt with that reason', async (_how, error) => {
    await manageable(world, NODE, synchronous);
    world.script.play('inspect', () => found);
    const { log } = world.memory;
    const append = log.append.bind(log);
    jest.spyOn(log, 'append').mockImplementation(async (one) => {
      if ((one.blobs ?? []).length > 0) throw error;
      return append(one);
    });
    await world.do(provision('inspect'));
    await world.clock.advanceBy(30_000);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: 'what was found can not be stored: no room for large things',
      reservation: null,
    });
    expect([world.script.calls('inspect').length, await endings(world)]).toEqual([1, ['InspectionFailed']]);
  });

  it('stores it when the log comes back as a whole', async () => {
    await manageable(world, NODE, synchronous);
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    world.memory.store.fault = 'the disk is away';
    work.answer(found);
    await world.clock.advanceBy(120_000);
    world.memory.store.fault = null;
    await world.clock.advanceBy(30_000);
    expect(await endings(world)).toEqual(['InspectionFinished']);
    expect((await eventData(world, 'InspectionFinished'))[0]!['inventory']).not.toBeNull();
  });
});
