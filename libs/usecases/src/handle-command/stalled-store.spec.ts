import type { Command } from '@lib/contracts';
import { LogUnavailable } from '@lib/ports';
import { stallingLog } from '@lib/testing/stalling-store';
import {
  NODE,
  PREFIX,
  World,
  creation,
  documentOf,
  openConductor,
  provision,
  removal,
  type WorldConductor,
} from '../../../../test/world';

const MINUTE_MS = 60_000;
const maintenance: Command = { type: 'SetMaintenance', uuid: NODE, reason: 'test' };

/** A conductor whose disk stops between write and sync once it is told to. */
async function stalledWorld(before: readonly Command[]) {
  const world = new World();
  const { clock, chance, logger, bus, hardware, memory } = world;
  const { readModel, leases, keyStore } = memory;
  const disk = stallingLog(memory.log);
  const place = { clock, chance, logger, bus, prefix: PREFIX, readModel, leases, keyStore, hardware };
  const doomed = await openConductor({ ...place, log: disk.log }, {});
  for (const command of before) {
    expect(await world.ask(command, { to: doomed })).toMatchObject({ ok: true });
    await clock.advanceBy(MINUTE_MS);
  }
  disk.stall();
  return { world, disk, doomed };
}

const typesIn = ({ memory }: World): string[] => memory.store.events.map(({ type }) => type);

const CASES: ReadonlyArray<readonly [string, readonly Command[], Command, string]> = [
  ['a creation', [], creation(), 'NodeEnrolled'],
  ['maintenance', [creation()], maintenance, 'MaintenanceSet'],
  ['a removal', [creation(), maintenance], removal(), 'NodeRemoved'],
  ['work on the machine', [creation()], provision('manage'), 'WorkStarted'],
];
const FOUND = ['all', 'nothing'] as const;

describe('a store that stops between write and sync', () => {
  it.each(CASES)('answers nothing and does nothing: %s', async (_what, before, command) => {
    const { world, disk, doomed } = await stalledWorld(before);
    const stored = typesIn(world);
    const asked = world.script.asked.length;
    const heard = jest.fn();
    doomed.commits.signals.emit = heard;
    const sent = world.send(command, { to: doomed });
    await world.clock.advanceBy(10 * MINUTE_MS);
    expect(disk.hanging()).toBeGreaterThan(0);
    expect(sent.reply).toBeNull();
    expect(typesIn(world)).toEqual(stored);
    expect(world.script.asked).toHaveLength(asked);
    expect(heard).not.toHaveBeenCalled();
    await disk.end('synced');
    await world.settle();
    expect(sent.reply).toEqual({ ok: true, result: {} });
    await end(world, doomed);
  });

  it.each(FOUND.flatMap((found) => CASES.map((one) => [found, ...one] as const)))(
    'and then dies, %s of it found again: repeated, %s happens once',
    async (found, _what, before, command, type) => {
      const { world, disk, doomed } = await stalledWorld(before);
      const stored = typesIn(world);
      const sent = world.send(command, { to: doomed });
      await world.settle();
      await doomed.kill();
      await disk.losePower(found);
      expect(typesIn(world)).toEqual(found === 'all' ? [...stored, type] : stored);
      await world.conductor();
      expect(await world.ask(command, { commandId: sent.commandId })).toEqual({ ok: true, result: {} });
      expect(sent.reply).toBeNull();
      const own = await world.memory.log.readCommand(sent.commandId);
      expect(own.map((event) => event.type)).toEqual([type]);
      expect((await documentOf(world)) === null).toBe(command.type === 'RemoveNode');
      await world.stop();
    },
  );

  it.each([
    ['can not be read either', true, /unknown/],
    ['is read again, and has nothing as yet', false, /unknown/],
  ])('says what is known when the disk fails in the sync and %s', async (_what, isLost, text) => {
    const { world, disk, doomed } = await stalledWorld([]);
    const sent = world.send(creation(), { to: doomed });
    await world.settle();
    if (isLost) jest.spyOn(world.memory.log, 'readCommand').mockRejectedValueOnce(new LogUnavailable('no disk'));
    await disk.end('failed');
    await world.settle();
    expect(sent.reply).toMatchObject({ ok: false, code: 'UNAVAILABLE', message: expect.stringMatching(text) });
    await end(world, doomed);
  });
});

async function end(world: World, doomed: WorldConductor): Promise<void> {
  await doomed.kill();
  await world.stop();
}
