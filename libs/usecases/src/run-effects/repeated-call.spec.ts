import { NODE, World, manageable, provision } from '../../../../test/world';

describe('a call of an effect that another conductor takes over', () => {
  let world: World;
  afterEach(() => world.stop());

  it('is told that another run may have done the same before', async () => {
    world = new World();
    const conductor = await world.conductor();
    await manageable(world, NODE, { inspect_interface: 'fake' });
    const told: unknown[] = [];
    world.script.play('inspect', ({ machine }, { isRepeated }) => {
      told.push([isRepeated, machine?.attemptBegunAt]);
      return new Promise(() => undefined);
    });
    const startedAt = world.clock.now();
    await world.do(provision('inspect'));
    await conductor.kill();
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(20_000);
    expect(told).toEqual([
      [false, startedAt],
      [true, startedAt],
    ]);
  });
});
