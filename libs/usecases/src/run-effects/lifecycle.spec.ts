import { isSealed } from '@lib/domain';
import {
  NODE,
  World,
  documentOf,
  eventData,
  eventTypes,
  manageable,
  patch,
  provision,
  replace,
  uuidOf,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const CONFIGDRIVE = 'Y29uZmlnLWRyaXZlLW9mLXRoZS1pbnN0YW5jZQ==';

describe('lifecycle work', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
  });
  afterEach(() => world.stop());

  const state = async () => (await documentOf(world))?.['provision_state'];
  const deploy = (args: Readonly<Record<string, unknown>> = {}) =>
    world.do({ type: 'Provision', uuid: NODE, target: 'active', args });

  async function active(args: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await manageable(world);
    await world.do(provision('provide'));
    await deploy(args);
    expect(await state()).toBe('active');
  }

  it('goes from enroll to active, is rebuilt, and comes back', async () => {
    await active();
    await world.do(provision('rebuild'));
    expect(await state()).toBe('active');
    await world.do(provision('deleted'));
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'available',
      reservation: null,
      last_error: null,
    });
    const works = ['clean', 'deploy', 'deploy', 'tear down', 'clean'];
    expect(world.script.asked.map(({ word }) => word).filter((word) => works.includes(word))).toEqual(works);
  });

  it('shows the state at once and the holder while it runs', async () => {
    await active();
    const work = world.script.hold('tear down');
    await world.do(provision('undeploy'));
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'deleting',
      target_provision_state: 'available',
      reservation: 'conductor-1',
    });
    work.answer({});
    await world.settle();
    expect(await state()).toBe('available');
  });

  it('opens a configdrive for the machine alone, and forgets it with the instance', async () => {
    await active({ configdrive: CONFIGDRIVE });
    const [asked] = world.script.calls('deploy');
    expect(asked?.machine?.instanceInfo).toEqual({ configdrive: CONFIGDRIVE });
    const { instance_info: info } = (await documentOf(world)) as { instance_info: Record<string, unknown> };
    expect(isSealed(info['configdrive'])).toBe(true);
    expect(world.memory.store.keys.size).toBe(1);
    await world.do(provision('deleted'));
    expect(await documentOf(world)).toMatchObject({ instance_info: {} });
  });

  it('takes a configdrive in the form of an object', async () => {
    const drive = { meta_data: { name: 'web-1' }, user_data: 'geheim' };
    await active({ configdrive: drive });
    expect(world.script.calls('deploy')[0]?.machine?.instanceInfo).toEqual({ configdrive: drive });
  });

  it('makes no key for a configdrive that is refused', async () => {
    await manageable(world);
    const reply = await world.ask({
      type: 'Provision',
      uuid: NODE,
      target: 'active',
      args: { configdrive: CONFIGDRIVE },
    });
    expect(reply).toMatchObject({ ok: false, code: 'INVALID_STATE' });
    expect(world.memory.store.keys.size).toBe(0);
  });

  it('frees the instance for another node once it is torn down', async () => {
    const instance = uuidOf(50);
    await active();
    await world.do(patch([replace('/instance_uuid', instance)]));
    await manageable(world, uuidOf(2));
    const wanted = patch([replace('/instance_uuid', instance)], uuidOf(2));
    expect(await world.ask(wanted)).toMatchObject({ ok: false, code: 'DUPLICATE_INSTANCE' });
    await world.do(provision('deleted'));
    expect(await documentOf(world)).toMatchObject({ instance_uuid: null });
    await world.do(wanted);
  });

  it.each([
    ['deploy', 'available', 'active', 'deploy failed'],
    ['tear down', 'active', 'deleted', 'error'],
  ] as const)('%s that fails is told', async (word, from, target, to) => {
    await (from === 'active' ? active() : manageable(world).then(() => world.do(provision('provide'))));
    world.script.refuse(word, new Error('the switch is away'));
    await world.do(provision(target));
    const document = await documentOf(world);
    expect(document).toMatchObject({ provision_state: to, reservation: null });
    expect(document?.['last_error']).toContain('the switch is away');
  });

  it('of a dead conductor is taken over and ends once', async () => {
    await manageable(world);
    await world.do(provision('provide'));
    const work = world.script.hold('deploy');
    await deploy();
    await conductor.kill();
    world.script.obey('deploy');
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(120_000);
    work.answer({});
    await world.settle();
    expect(await state()).toBe('active');
    expect((await eventTypes(world)).filter((type) => type === 'WorkFinished')).toHaveLength(3);
  });

  it('adopts, rescues and services, and the password of a rescue is shown to the machine alone', async () => {
    await manageable(world);
    await world.do(provision('adopt'));
    expect(await state()).toBe('active');
    const rescue_password = 'correct-horse';
    await world.do({ type: 'Provision', uuid: NODE, target: 'rescue', args: { rescue_password } });
    expect(await state()).toBe('rescue');
    expect(world.script.calls('rescue')[0]?.machine?.instanceInfo).toEqual({ rescue_password });
    expect(JSON.stringify(await documentOf(world))).not.toContain(rescue_password);
    await world.do(provision('unrescue'));
    expect(await documentOf(world)).toMatchObject({ provision_state: 'active', instance_info: {} });
    const service_steps = [{ interface: 'bios', step: 'apply_configuration' }];
    await world.do({ type: 'Provision', uuid: NODE, target: 'service', args: { service_steps } });
    expect(await state()).toBe('active');
    expect(world.script.calls('service').map(({ wanted }) => wanted)).toEqual(service_steps);
  });

  it('opens the arguments of steps for the machine alone', async () => {
    await manageable(world);
    const clean_steps = [{ interface: 'bios', step: 'set', args: { password: 'correct-horse', mode: 'uefi' } }];
    await world.do({ type: 'Provision', uuid: NODE, target: 'clean', args: { clean_steps } });
    expect(await state()).toBe('manageable');
    expect(world.script.calls('manual clean').map(({ wanted }) => wanted)).toEqual(clean_steps);
    const stored = JSON.stringify(await eventData(world, 'WorkStarted'));
    expect(stored).toContain('uefi');
    expect(stored).not.toContain('correct-horse');
  });

  it('has the steps of BIOS, firmware and RAID taken by the interfaces that the node has for them', async () => {
    await manageable(world);
    const clean_steps = ['deploy', 'bios', 'raid', 'firmware'].map((one) => ({ interface: one, step: 'set' }));
    await world.do(patch([replace('/raid_interface', 'no-raid'), replace('/bios_interface', 'no-bios')]));
    await world.do({ type: 'Provision', uuid: NODE, target: 'clean', args: { clean_steps } });
    expect(world.script.calls('manual clean').map((call) => [call.wanted, call.interface])).toEqual(
      ['fake', 'no-bios', 'no-raid', 'fake'].map((name, index) => [clean_steps[index], name]),
    );
  });

  it('without automated cleaning asks nothing of the machine', async () => {
    await manageable(world);
    await world.do(patch([replace('/automated_clean', false)]));
    await world.do(provision('provide'));
    expect(await state()).toBe('available');
    expect(world.script.calls('clean')).toEqual([]);
  });
});
