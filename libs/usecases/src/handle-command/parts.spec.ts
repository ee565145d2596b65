import { NODE, World, creation, eventTypes, manageable, provision, removal } from '../../../../test/world';

describe('what a machine tells of its parts when it is verified', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
  });
  afterEach(() => world.stop());

  const stored = async () => {
    const [document] = await world.memory.readModel.get('node_parts', [NODE]);
    return document ? (JSON.parse(document.json) as Record<string, unknown>) : null;
  };
  const told = {
    bios: [
      { name: 'b', value: '2', attributes: { read_only: true } },
      { name: 'a', value: '1' },
    ],
    firmware: [{ component: 'bmc', current_version: '1.2' }],
  };

  it('can be read, by name, and goes with the node', async () => {
    await world.do(creation(NODE, { extra: told }));
    expect(await stored()).toBeNull();
    await world.do(provision('manage'));
    await world.settle();
    expect(await stored()).toMatchObject({
      bios: [
        { name: 'a', value: '1', updated_at: null },
        { name: 'b', value: '2', read_only: true },
      ],
      firmware: [{ component: 'bmc', initial_version: '1.2', current_version: '1.2', last_version_flashed: null }],
    });
    expect((await eventTypes(world)).slice(-2)).toEqual(['PartsTold', 'WorkFinished']);
    await world.do(removal());
    expect(await stored()).toBeNull();
  });

  it('is nothing where it tells of nothing', async () => {
    await manageable(world);
    expect(await stored()).toBeNull();
    expect(await eventTypes(world)).not.toContain('PartsTold');
  });
});
