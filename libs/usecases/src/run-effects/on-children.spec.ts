import { NODE, World, documentOf, manageable, uuidOf } from '../../../../test/world';

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
