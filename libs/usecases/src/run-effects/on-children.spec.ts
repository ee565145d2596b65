import { LogUnavailable } from '@lib/ports';
import { NODE, World, documentOf, eventTypes, manageable, uuidOf } from '../../../../test/world';

const CHILD = uuidOf(2);
const step = { interface: 'power', step: 'reboot', execute_on_child_nodes: true };

describe('a step that a child node takes', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
    await manageable(world);
    await manageable(world, CHILD, { parent_node: NODE });
  });
  afterEach(() => world.stop());

  const clean = async (): Promise<void> => {
    await world.do({ type: 'Provision', uuid: NODE, target: 'clean', args: { clean_steps: [step] } });
    for (let look = 0; look < 8; look += 1) await world.clock.advanceBy(250);
    await world.settle();
  };

  it('ends when the machine of the child has done it', async () => {
    const change = world.script.hold('power');
    await clean();
    expect(await documentOf(world)).toMatchObject({ provision_state: 'cleaning', clean_step: step });
    change.answer({ powerState: 'power on', changed: true });
    for (let look = 0; look < 8; look += 1) await world.clock.advanceBy(250);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable', power_state: null });
    expect(world.script.calls('power').map(({ node }) => node)).toEqual([CHILD]);
  });

  it('fails with the reason of the child', async () => {
    world.script.refuse('power', new Error('the BMC is away'));
    await clean();
    const { provision_state: state, last_error: error } = (await documentOf(world)) ?? {};
    expect([state, error]).toEqual([
      'clean failed',
      `Manual cleaning failed: step power.reboot failed: child node ${CHILD}: Failed to change the power state: the BMC is away`,
    ]);
  });

  it('is no longer waited for when the limit of the parent has passed', async () => {
    world.script.hold('power');
    await clean();
    await world.clock.advanceBy(3_600_000);
    await world.settle();
    expect(await documentOf(world)).toMatchObject({ provision_state: 'clean failed', reservation: null });
  });
});

describe('work on child nodes and the workers of a conductor', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(() => world.stop());

  const looks = async (times = 16): Promise<void> => {
    for (let look = 0; look < times; look += 1) await world.clock.advanceBy(250);
    await world.settle();
  };
  const clean = (uuid: string): Promise<unknown> =>
    world.do({ type: 'Provision', uuid, target: 'clean', args: { clean_steps: [step] } });

  it('holds no worker that the children need, however many the parents are', async () => {
    await world.conductor({ workersMax: 1 });
    const families = [
      [uuidOf(11), uuidOf(12)],
      [uuidOf(21), uuidOf(22)],
      [uuidOf(31), uuidOf(32)],
    ] as const;
    for (const [parent, child] of families) {
      await manageable(world, parent);
      await manageable(world, child, { parent_node: parent });
    }
    for (const [parent] of families) await clean(parent);
    await looks();
    for (const [parent] of families)
      expect(await documentOf(world, parent)).toMatchObject({ provision_state: 'manageable', last_error: null });
  });

  it.each(['append', 'readStream'] as const)('outlasts a store that is away for a while: %s', async (call) => {
    await world.conductor();
    await manageable(world);
    await manageable(world, CHILD, { parent_node: NODE });
    const { log } = world.memory;
    const usual = (log[call] as (...args: unknown[]) => Promise<unknown>).bind(log);
    let away = 3;
    const troubled = async (...args: unknown[]): Promise<unknown> => {
      if (!JSON.stringify(args).includes(`node/${CHILD}`) || (away -= 1) < 0) return usual(...args);
      throw new LogUnavailable('the store is away');
    };
    Object.assign(log, { [call]: troubled });
    await clean(NODE);
    await looks(40);
    Object.assign(log, { [call]: usual });
    expect(away).toBeLessThan(0);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable', last_error: null });
    expect((await eventTypes(world, CHILD)).filter((type) => type === 'PowerChangeRequested')).toHaveLength(1);
  });

  it('knows a child by its UUID, however that is spelled', async () => {
    await world.conductor();
    await manageable(world);
    await manageable(world, CHILD, { parent_node: NODE });
    const limit_child_node_execution = [CHILD.toUpperCase(), CHILD.replaceAll('-', '')];
    const args = { clean_steps: [{ ...step, limit_child_node_execution }] };
    await world.do({ type: 'Provision', uuid: NODE, target: 'clean', args });
    await looks();
    expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable', last_error: null });
    expect(world.script.calls('power')).toHaveLength(1);
  });

  it('goes on by another conductor with the change of the child that was under way', async () => {
    const one = await world.conductor({ host: 'conductor-1' });
    await manageable(world);
    await manageable(world, CHILD, { parent_node: NODE });
    world.script.hold('power');
    await clean(NODE);
    await looks(2);
    await one.kill();
    await world.conductor({ host: 'conductor-2' });
    const taken = world.script.hold('power');
    await world.clock.advanceBy(20_000);
    await looks(8);
    expect(await documentOf(world)).toMatchObject({ provision_state: 'cleaning', last_error: null });
    taken.answer({ powerState: 'power on', changed: true });
    await looks();
    expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable', last_error: null });
    expect(await eventTypes(world, CHILD)).toEqual(expect.arrayContaining(['PowerChanged']));
    expect((await eventTypes(world, CHILD)).filter((type) => type === 'PowerChangeRequested')).toHaveLength(1);
  });
});
