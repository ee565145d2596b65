import { NODE, World, documentOf, eventTypes, manageable, provision, uuidOf } from '../../../../test/world';
import type { ConductorSetup } from '../../../../test/world';

const OTHER = uuidOf(2);
const crowded = { ok: false, code: 'NO_FREE_WORKER' };
const cleaning = (uuid = NODE) =>
  ({
    type: 'Provision',
    uuid,
    target: 'clean',
    args: { clean_steps: [{ interface: 'deploy', step: 'erase_devices' }] },
  }) as const;

describe('how many nodes may be in the middle of work', () => {
  let world: World;
  afterEach(() => world.stop());

  async function open(concurrency: NonNullable<ConductorSetup['concurrency']>, groups = ['', '']): Promise<void> {
    world = new World();
    await world.conductor({ concurrency });
    await manageable(world, NODE, { conductor_group: groups[0] });
    await manageable(world, OTHER, { conductor_group: groups[1] });
  }

  it('another cleaning is refused while the limit is reached, and leaves nothing; afterwards it is taken', async () => {
    await open({ deploy: 9, clean: 1, perConductorGroup: false });
    const work = world.script.hold('manual clean');
    await world.do(cleaning());
    const before = await eventTypes(world, OTHER);
    const refused = await world.ask(cleaning(OTHER));
    expect(refused).toMatchObject(crowded);
    expect((refused as { message: string }).message).toContain('max_concurrent_clean = 1');
    expect(await world.ask(provision('provide', OTHER))).toMatchObject(crowded);
    expect(await eventTypes(world, OTHER)).toEqual(before);
    work.answer({});
    await world.settle();
    await world.do(provision('provide', OTHER));
    await world.settle();
    expect(await documentOf(world, OTHER)).toMatchObject({ provision_state: 'available' });
  });

  it('deployments have a limit of their own', async () => {
    await open({ deploy: 1, clean: 9, perConductorGroup: false });
    for (const uuid of [NODE, OTHER]) await world.do(provision('provide', uuid));
    await world.settle();
    const work = world.script.hold('deploy');
    await world.do(provision('active'));
    expect(await world.ask(provision('active', OTHER))).toMatchObject(crowded);
    work.answer({});
    await world.settle();
    await world.do(provision('active', OTHER));
  });

  it('cleaning that follows a tear-down begins whatever the count is', async () => {
    await open({ deploy: 9, clean: 1, perConductorGroup: false });
    await world.do(provision('provide', OTHER));
    await world.settle();
    await world.do(provision('active', OTHER));
    await world.settle();
    const tearing = world.script.hold('tear down');
    await world.do(provision('deleted', OTHER));
    expect(await world.ask(cleaning())).toMatchObject(crowded);
    tearing.answer({});
    await world.settle();
    expect(await documentOf(world, OTHER)).toMatchObject({ provision_state: 'available' });
  });

  it('a node that is not to be cleaned is provided all the same', async () => {
    await open({ deploy: 9, clean: 1, perConductorGroup: false });
    world.script.hold('manual clean');
    await world.do(cleaning());
    const free = uuidOf(3);
    await manageable(world, free, { automated_clean: false });
    await world.do(provision('provide', free));
  });

  it('with max_concurrent_per_conductor_group each group has its own count', async () => {
    await open({ deploy: 9, clean: 1, perConductorGroup: true }, ['', 'rack-2']);
    world.script.hold('manual clean');
    await world.do(cleaning());
    const third = uuidOf(3);
    await manageable(world, third);
    const refused = await world.ask(cleaning(third));
    expect(refused).toMatchObject(crowded);
    expect((refused as { message: string }).message).toContain('conductor group ""');
    await world.do(cleaning(OTHER));
  });
});
