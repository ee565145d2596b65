import {
  NODE,
  World,
  documentOf,
  eventData,
  eventTypes,
  maintain,
  manageable,
  patch,
  provision,
  replace,
  unmaintain,
  uuidOf,
} from '../../../../test/world';
import type { WorldConductor } from '../../../../test/world';

const step = (name: string, args?: Record<string, unknown>, by = 'deploy') => ({
  interface: by,
  step: name,
  ...(args ? { args } : {}),
});
const DIGEST = 'a'.repeat(64);

describe('work that waits', () => {
  let world: World;
  let conductor: WorldConductor;
  beforeEach(async () => {
    world = new World();
    conductor = await world.conductor();
  });
  afterEach(() => world.stop());

  const shown = async () => {
    const { provision_state, clean_step, deploy_step, service_step, reservation } = (await documentOf(world)) ?? {};
    return { provision_state, clean_step, deploy_step, service_step, reservation };
  };
  const state = async () => (await documentOf(world))?.['provision_state'];
  const clean = (...clean_steps: object[]) =>
    world.do({ type: 'Provision', uuid: NODE, target: 'clean', args: { clean_steps } });
  /** Steps named `wait...` hand over to the ramdisk. */
  const waitsAtSome = () => {
    for (const word of ['manual clean', 'deploy', 'service', 'rescue'] as const) {
      world.script.play(word, ({ piece }) =>
        piece?.step?.step.startsWith('long') || (!piece?.step && !piece?.resumed) ? { waits: { abortable: true } } : {},
      );
    }
  };
  const lookUp = () => world.do({ type: 'LookUpNode', uuid: NODE, tokenDigest: DIGEST, inAnyState: false });
  const heartbeat = (to?: Parameters<World['ask']>[1]) =>
    world.ask(
      {
        type: 'RecordHeartbeat',
        uuid: NODE,
        callbackUrl: 'https://192.0.2.9:9999',
        tokenDigest: DIGEST,
        agentVersion: '9.14.0',
        agentStatus: null,
        agentStatusMessage: null,
        agentVerifyCa: null,
        requireTls: true,
      },
      to,
    );

  it('shows the step that it is at, while it runs, waits and is held', async () => {
    await manageable(world);
    const [long, last] = [step('long_erase', { password: 'correct-horse' }), step('hold')];
    const erasing = world.script.hold('manual clean');
    await clean(long, last);
    const sealed = {
      interface: 'deploy',
      step: 'long_erase',
      args: { password: { sealed: expect.any(String) as string } },
    };
    const none = { deploy_step: {}, service_step: {} };
    const cleanStep = (await documentOf(world))?.['clean_step'];
    expect(cleanStep).toMatchObject(sealed);
    expect(await shown()).toEqual({
      provision_state: 'cleaning',
      clean_step: cleanStep,
      ...none,
      reservation: 'conductor-1',
    });
    erasing.answer({ waits: { abortable: true } });
    await world.settle();
    expect(await shown()).toEqual({ provision_state: 'clean wait', clean_step: cleanStep, ...none, reservation: null });
    await lookUp();
    await heartbeat();
    expect(await shown()).toEqual({ provision_state: 'clean hold', clean_step: last, ...none, reservation: null });
    await world.do(provision('unhold'));
    expect(await state()).toBe('clean wait');
    await heartbeat();
    erasing.answer({});
    await world.settle();
    expect(await shown()).toEqual({ provision_state: 'manageable', clean_step: {}, ...none, reservation: null });
  });

  it('ends by its deadline, which the scheduler watches, and not in maintenance', async () => {
    await manageable(world);
    await world.scheduler();
    waitsAtSome();
    await clean(step('long_erase'));
    await world.do(maintain());
    await world.clock.advanceBy(2_000_000);
    expect(await state()).toBe('clean wait');
    await world.do(unmaintain());
    await world.clock.advanceBy(2000);
    expect(await documentOf(world)).toMatchObject({
      provision_state: 'clean failed',
      target_provision_state: 'manageable',
      clean_step: {},
      last_error: expect.stringContaining('did not within 1800 seconds') as string,
    });
  });

  it('loses nothing when its conductor is started again, and goes on under another one', async () => {
    await manageable(world);
    await world.scheduler();
    waitsAtSome();
    await clean(step('long_erase'), step('configure'));
    await lookUp();
    await world.stop();
    const two = await world.conductor({ host: 'conductor-2', onRestart: 'fail', alone: true });
    expect(await shown()).toMatchObject({ provision_state: 'clean wait', clean_step: step('long_erase') });
    expect(await heartbeat({ to: two })).toMatchObject({ ok: true });
    expect(await state()).toBe('manageable');
    const words = world.script.calls('manual clean').map(({ piece }) => [piece?.step?.step, piece?.resumed]);
    expect(words).toEqual([
      ['long_erase', false],
      ['configure', true],
    ]);
  });

  it('goes on once, however many conductors hear the same heartbeat', async () => {
    await manageable(world);
    const two = await world.conductor({ host: 'conductor-2' });
    waitsAtSome();
    await clean(step('long_erase'), step('configure'));
    await lookUp();
    const beat = { type: 'RecordHeartbeat', uuid: NODE, callbackUrl: '', tokenDigest: DIGEST } as const;
    const rest = {
      agentVersion: '9',
      agentStatus: null,
      agentStatusMessage: null,
      agentVerifyCa: null,
      requireTls: true,
    };
    const sent = [world.send({ ...beat, ...rest }), world.send({ ...beat, ...rest }, { to: two })];
    await world.clock.advanceBy(1000);
    // The one that lost met the reserved node, or the node after its work.
    expect(sent.filter(({ reply }) => reply?.ok).length).toBeGreaterThan(0);
    expect((await eventTypes(world)).filter((type) => type === 'WorkResumed')).toHaveLength(1);
    expect(await state()).toBe('manageable');
  });

  it('is one ending when an abort and the deadline meet', async () => {
    await manageable(world);
    await world.conductor({ host: 'conductor-2' });
    await world.scheduler();
    waitsAtSome();
    await clean(step('long_erase'));
    await world.clock.advanceBy(1_799_990);
    const sent = world.send(provision('abort'));
    await world.clock.advanceBy(20_000);
    expect(sent.reply).not.toBeNull();
    const endings = (await eventTypes(world)).filter((type) => /^Work(Aborted|TimedOut)$/.test(type));
    expect(endings).toHaveLength(1);
    expect(await state()).toBe('clean failed');
  });

  it('waits in a rescue and in a deployment as well', async () => {
    waitsAtSome();
    await manageable(world);
    await world.do(provision('provide'));
    await world.do(provision('active'));
    expect(await state()).toBe('wait call-back');
    await lookUp();
    await heartbeat();
    expect(await state()).toBe('active');
    await world.do({ type: 'Provision', uuid: NODE, target: 'rescue', args: { rescue_password: 'correct-horse' } });
    expect(await state()).toBe('rescue wait');
    await lookUp();
    await heartbeat();
    expect(await state()).toBe('rescue');
  });

  it('is taken on at the step that a dead conductor was at, and at no other', async () => {
    await manageable(world);
    waitsAtSome();
    await clean(step('long_erase'), step('configure'), step('verify'));
    await lookUp();
    world.script.hold('manual clean');
    await heartbeat();
    expect(await shown()).toMatchObject({ provision_state: 'cleaning', clean_step: step('configure') });
    await conductor.kill();
    world.script.obey('manual clean');
    await world.conductor({ host: 'conductor-2' });
    await world.clock.advanceBy(120_000);
    expect(await state()).toBe('manageable');
    const taken = world.script.calls('manual clean').map(({ piece }) => piece?.step?.step);
    expect(taken).toEqual(['long_erase', 'configure', 'configure', 'verify']);
    expect(await eventData(world, 'WorkFinished')).toHaveLength(2);
  });

  describe('reserved steps', () => {
    it('change the power, and pause', async () => {
      await manageable(world);
      await clean(step('power_on', {}, 'power'), step('wait', { seconds: 300 }), step('reboot'), step('power_off'));
      expect(await shown()).toMatchObject({ provision_state: 'cleaning', clean_step: step('wait', { seconds: 300 }) });
      expect(await documentOf(world)).toMatchObject({ power_state: 'power on' });
      await world.clock.advanceBy(299_000);
      expect(await state()).toBe('cleaning');
      await world.clock.advanceBy(2000);
      expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable', power_state: 'power off' });
      expect(world.script.calls('power').map(({ wanted }) => wanted)).toEqual(['power on', 'rebooting', 'power off']);
      expect(world.script.calls('manual clean')).toEqual([]);
    });

    it('wait for the ramdisk without a time', async () => {
      await manageable(world);
      await clean(step('wait'), step('configure'));
      expect(await state()).toBe('clean wait');
      await lookUp();
      await heartbeat();
      expect(await state()).toBe('manageable');
    });

    it('leave a machine on that must not be powered off', async () => {
      await manageable(world);
      await world.do(patch([replace('/disable_power_off', true)]));
      await clean(step('power_off'));
      expect(await documentOf(world)).toMatchObject({
        provision_state: 'clean failed',
        last_error: expect.stringContaining('step deploy.power_off failed: the node has power off disabled') as string,
      });
      expect(world.script.calls('power')).toEqual([]);
    });
  });

  describe('where steps come from', () => {
    const create = (kind: 'runbook' | 'deploy_template', uuid: string, fields: Record<string, unknown>) =>
      world.do({ type: 'CreateResource', kind, uuid, nodeUuid: null, minor: 112, fields });
    const taken = (word: 'manual clean' | 'service' | 'deploy') => world.script.calls(word).map(({ wanted }) => wanted);

    it('a runbook gives them in its order, with its word on the ramdisk, and its secrets change hands sealed', async () => {
      const steps = [
        { ...step('second', { password: 'correct-horse' }), order: 2 },
        { ...step('first'), order: '1' },
      ];
      await create('runbook', uuidOf(70), { name: 'CUSTOM_ERASE', steps, disable_ramdisk: true });
      await manageable(world);
      await world.do({ type: 'Provision', uuid: NODE, target: 'clean', args: { runbook: uuidOf(70) } });
      expect(await state()).toBe('manageable');
      expect(taken('manual clean')).toEqual([steps[1], steps[0]]);
      expect(world.script.calls('manual clean').every(({ piece }) => piece?.ramdisk === false)).toBe(true);
      expect(JSON.stringify(await eventData(world, 'WorkStarted'))).not.toContain('correct-horse');
    });

    it('a runbook that is gone meanwhile is not found, and nothing happens', async () => {
      await manageable(world);
      const command = { type: 'Provision', uuid: NODE, target: 'clean', args: { runbook: uuidOf(71) } } as const;
      expect(await world.ask(command)).toMatchObject({ ok: false, code: 'RESOURCE_NOT_FOUND' });
      expect(await state()).toBe('manageable');
    });

    it('deploy templates give those of the traits of the instance, and the request overrides them', async () => {
      const low = { ...step('low', {}, 'bios'), priority: 10 };
      const high = { ...step('high', {}, 'raid'), priority: '90' };
      const other = { ...step('other', {}, 'raid'), priority: 99 };
      await create('deploy_template', uuidOf(72), {
        name: 'CUSTOM_LOW',
        steps: [low, { ...step('off', {}), priority: 5 }],
      });
      await create('deploy_template', uuidOf(73), { name: 'CUSTOM_HIGH', steps: [high] });
      await create('deploy_template', uuidOf(74), { name: 'CUSTOM_OTHER', steps: [other] });
      await manageable(world);
      await world.do(provision('provide'));
      await world.do(patch([replace('/instance_info', { traits: ['CUSTOM_LOW', 'CUSTOM_HIGH', 'CUSTOM_NONE'] })]));
      const given = { ...step('low', { mode: 'x' }, 'bios'), priority: 95 };
      const deploy_steps = [given, { ...step('off', {}), priority: 0 }];
      await world.do({ type: 'Provision', uuid: NODE, target: 'active', args: { deploy_steps } });
      expect(await state()).toBe('active');
      expect(taken('deploy')).toEqual([given, high]);
    });
  });
});
