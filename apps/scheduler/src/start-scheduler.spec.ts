import { PREFIX, World, endings, waiting } from '../../../test/world';
import { startScheduler } from '.';

describe('a running scheduler', () => {
  it('ends what is overdue at its start, tells whether it can read, and stops', async () => {
    const world = new World();
    await world.conductor({ policy: { inspectWaitTimeoutSeconds: 10 } });
    await waiting(world);
    await world.clock.advanceBy(60_000);
    expect(await endings(world)).toEqual([]);
    const { clock, logger, bus, memory } = world;
    const logId = await memory.log.logId();
    const scheduler = await startScheduler({ clock, logger, bus, prefix: PREFIX, logId, readModel: memory.readModel });
    await world.settle();
    expect(await endings(world)).toEqual(['InspectionTimedOut']);
    expect(scheduler.ready()).toBe(true);
    const { deadlines } = memory.readModel;
    Object.assign(memory.readModel, { deadlines: () => Promise.reject(new Error('the disk is away')) });
    await world.clock.advanceBy(1000);
    expect(scheduler.ready()).toBe(false);
    Object.assign(memory.readModel, { deadlines });
    await world.clock.advanceBy(1000);
    expect(scheduler.ready()).toBe(true);
    await scheduler.stop();
    const reads = jest.fn(deadlines);
    Object.assign(memory.readModel, { deadlines: reads });
    await world.clock.advanceBy(5000);
    expect(reads).not.toHaveBeenCalled();
    await world.stop();
  });
});
