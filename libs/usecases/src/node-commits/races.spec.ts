import type { Command } from '@lib/contracts';
import { NODE, World, endings, eventTypes, manageable, provision, removal } from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

/** Two conductors of one log meet in the moment between a look and its append. */
describe('what the append itself decides between conductors', () => {
  const PORT = 'bbbbbbbb-0000-4000-8000-000000000001';
  const port: Command = {
    type: 'CreateResource',
    kind: 'port',
    minor: 82,
    uuid: PORT,
    nodeUuid: NODE,
    fields: { address: '52:54:00:00:00:01' },
  };
  let world: World;
  let one: WorldConductor;

  beforeEach(async () => {
    world = new World();
    one = await world.conductor();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.stop();
  });

  it('drops an outcome whose effect is claimed by another right before it is appended', async () => {
    await manageable(world, NODE, { inspect_interface: 'fake' });
    const work = world.script.hold('inspect');
    await world.do(provision('inspect'));
    const { leases, log } = world.memory;
    const append = log.append.bind(log);
    let taken = 0;
    jest.spyOn(log, 'append').mockImplementation(async (wanted) => {
      taken += (await leases.claim('thief', world.clock.now() + 60_000, 60_000, 1)).length;
      return append(wanted);
    });
    work.answer({ returned: 'MANAGEABLE' });
    await world.settle();
    expect(taken).toBe(1);
    expect(await endings(world)).toEqual([]);
    expect(world.records.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('takes a port along that was made after the removal of its node had looked', async () => {
    await manageable(world);
    const two = await world.conductor({ host: 'conductor-2' });
    const { readModel } = world.memory;
    const list = readModel.list.bind(readModel);
    let made: unknown;
    jest.spyOn(readModel, 'list').mockImplementation(async (query) => {
      const found = await list(query);
      if (query.kind === 'port' && made === undefined) {
        made = await two.handler.handle({ commandId: 'c-port', requestId: 'req', actor: null, command: port });
      }
      return found;
    });
    expect(await world.ask(removal(), { to: one })).toMatchObject({ ok: true });
    expect(made).toMatchObject({ ok: true });
    expect(await readModel.get('port', [PORT])).toEqual([]);
    expect((await world.memory.log.versions([`port/${PORT}`])).get(`port/${PORT}`)).toEqual({
      version: 2,
      removed: true,
    });
    expect((await eventTypes(world)).at(-1)).toBe('NodeRemoved');
  });
});
