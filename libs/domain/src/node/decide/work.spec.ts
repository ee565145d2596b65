import { specify } from '@lib/testing/specify';
import {
  HOST,
  UUID,
  available,
  contextAt,
  continued,
  done,
  failed,
  interrupt,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  provision,
  someFields,
  update,
} from '../spec';
import type { NodeEvent, NodeFields } from '..';

const given = specify(nodeDecider, contextAt);

/** Deployed: effect 3 made it so. */
const active = (fields: Partial<NodeFields> = {}): readonly NodeEvent[] =>
  continued(available(fields), [provision('active'), 6000], [done(3), 7000]);
const deploying = () => continued(available(), [provision('active'), 6000]);
const deleting = (fields: Partial<NodeFields> = {}) => continued(active(fields), [provision('deleted'), 8000]);

describe('deployment', () => {
  it.each(['active', 'deploy'])('starts with %s and holds the node', (target) => {
    given(available())
      .when(provision(target), 6000)
      .then({
        type: 'WorkStarted',
        data: {
          at: 6000,
          work: 'deploy',
          state: 'deploying',
          effect: { n: 3, attempt: null, task: { kind: 'work', work: 'deploy' } },
          host: HOST,
        },
      });
    expect(nodeAfter(deploying())).toMatchObject({
      provisionState: 'deploying',
      targetProvisionState: 'active',
      reservation: { host: HOST, effect: 3 },
    });
  });

  it('ends in active, and leaves its mark', () => {
    expect(nodeAfter(active())).toMatchObject({
      provisionState: 'active',
      targetProvisionState: null,
      reservation: null,
      lastError: null,
      driverInternalInfo: { deploy_steps: null },
    });
  });

  describe('of an instance that names its project', () => {
    const leasing = { leasesToInstance: true };
    const fields = { instance_info: { project_id: 'p1' } };
    const leased = (more: Partial<NodeFields> = {}) =>
      continued(available({ ...fields, ...more }), [provision('active'), { at: 6000, ...leasing }], [done(3), 7000]);

    it('makes that the lessee, until it is torn down', () => {
      expect(nodeAfter(leased())).toMatchObject({
        fields: { lessee: 'p1' },
        driverInternalInfo: { automatic_lessee: true },
      });
      const gone = nodeAfter(continued(leased(), [provision('deleted'), 8000], [done(4), 9000]));
      expect(gone.fields.lessee).toBeNull();
      expect(gone.driverInternalInfo).not.toHaveProperty('automatic_lessee');
    });

    it('leaves a lessee that is set, then and at the end', () => {
      const past = leased({ lessee: 'p2' });
      expect(nodeAfter(past).fields.lessee).toBe('p2');
      const gone = nodeAfter(continued(past, [provision('deleted'), 8000], [done(4), 9000]));
      expect(gone.fields.lessee).toBe('p2');
    });

    it('leaves one who was named meanwhile', () => {
      const past = continued(leased(), [update({ ...nodeAfter(leased()).fields, lessee: 'p3' }), 7500]);
      const gone = nodeAfter(continued(past, [provision('deleted'), 8000], [done(4), 9000]));
      expect(gone.fields.lessee).toBe('p3');
    });

    it.each([{}, { project_id: '' }, { project_id: 7 }])('has none by %j', (instance_info) => {
      expect(nodeAfter(leased({ instance_info })).fields.lessee).toBeNull();
    });

    it('has none where the settings do not want it', () => {
      const past = continued(available(fields), [provision('active'), 6000], [done(3), 7000]);
      expect(nodeAfter(past).fields.lessee).toBeNull();
    });
  });

  it('fails into deploy failed with the reason, from where it may be asked for again', () => {
    const past = continued(deploying(), [failed(3, 'no disk'), 7000]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'deploy failed',
      targetProvisionState: 'active',
      lastError: 'Failed to deploy instance: no disk',
      reservation: null,
    });
    for (const target of ['active', 'rebuild']) {
      const again = nodeAfter(continued(past, [provision(target), 8000]));
      expect(again).toMatchObject({ provisionState: 'deploying', lastError: null });
    }
    expect(nodeAfter(continued(past, [provision('deleted'), 8000])).provisionState).toBe('deleting');
  });

  it.each(['active', 'deploy'])('%s is refused in maintenance', (target) => {
    given(continued(available(), [maintain(), 5500]))
      .when(provision(target), 6000)
      .thenRefused('IN_MAINTENANCE');
  });

  it('is refused when the interfaces are not ready, and when they do not offer it', () => {
    given(available())
      .when({ ...provision('active'), problem: 'no image' }, 6000)
      .thenRefused('VALIDATION_FAILED');
    given(available())
      .when({ ...provision('active'), unsupported: 'not here' }, 6000)
      .thenRefused('UNSUPPORTED_EXTENSION');
  });

  it('keeps what came with it', () => {
    const changed = { instance_info: { configdrive: { sealed: 'k', iv: 'i', tag: 't', data: 'd' } } };
    const past = continued(available(), [{ ...provision('active'), changed, keyId: 'key-2' }, 6000]);
    const node = nodeAfter(past);
    expect(node.fields).toMatchObject(changed);
    expect(node.keyId).toBe('key-2');
  });
});

describe('rebuild', () => {
  it('deploys again from active', () => {
    expect(nodeAfter(continued(active(), [provision('rebuild'), 8000])).provisionState).toBe('deploying');
  });

  it.each(['rebuild', 'deleted', 'undeploy'])('%s of a protected node is refused', (target) => {
    const guarded = continued(active(), [
      update(someFields({ inspect_interface: 'inspector', protected: true }), { namedInterfaces: [] }),
      7500,
    ]);
    given(guarded).when(provision(target), 8000).thenRefused('NODE_PROTECTED');
  });

  it('is not possible in maintenance', () => {
    given(continued(active(), [maintain(), 7500]))
      .when(provision('rebuild'), 8000)
      .thenRefused('IN_MAINTENANCE');
  });
});

describe('tear down', () => {
  const instance = {
    instance_uuid: '22222222-2222-4333-8444-555555555555',
    instance_name: 'web-1',
    instance_info: { image_source: 'http://images/1', display_name: 'web-1' },
  };

  it('goes on with cleaning in the same step, so that nobody takes the node in between', () => {
    given(deleting(instance))
      .when(done(4), 9000)
      .then({
        type: 'WorkFinished',
        data: {
          at: 9000,
          work: 'tear down',
          state: 'cleaning',
          effect: 4,
          powerState: null,
          changed: { instance_uuid: null, instance_name: null, instance_info: {} },
          next: { n: 5, attempt: null, task: { kind: 'work', work: 'clean' } },
          host: HOST,
        },
      });
    expect(nodeAfter(continued(deleting(), [done(4), 9000]))).toMatchObject({
      provisionState: 'cleaning',
      targetProvisionState: 'available',
      reservation: { host: HOST, effect: 5 },
    });
  });

  it('leaves an available node without its instance', () => {
    const node = nodeAfter(continued(deleting(instance), [done(4), 9000], [done(5), 9500]));
    expect(node).toMatchObject({
      uuid: UUID,
      provisionState: 'available',
      targetProvisionState: null,
      reservation: null,
      effects: [],
      fields: { instance_uuid: null, instance_name: null, instance_info: {} },
    });
  });

  it('fails into error with its instance, from where it is asked for again', () => {
    const past = continued(deleting(instance), [failed(4, 'switch away'), 9000]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'error',
      targetProvisionState: null,
      lastError: 'Failed to tear down the node: switch away',
      reservation: null,
      fields: instance,
    });
    expect(nodeAfter(continued(past, [provision('undeploy'), 9500])).provisionState).toBe('deleting');
  });

  it('may fail while it cleans', () => {
    const past = continued(deleting(instance), [done(4), 9000], [failed(5, 'stuck'), 9500]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'clean failed',
      lastError: expect.stringContaining('stuck'),
    });
  });

  it('works in maintenance', () => {
    const past = continued(active(), [maintain(), 7500], [provision('deleted'), 8000]);
    expect(nodeAfter(past).provisionState).toBe('deleting');
  });

  it('is refused when the power interface is not ready', () => {
    given(active())
      .when({ ...provision('deleted'), problem: 'no address' }, 8000)
      .thenRefused('VALIDATION_FAILED');
  });
});

describe('automated cleaning', () => {
  it.each([
    { settings: true, own: null, idle: false },
    { settings: false, own: null, idle: true },
    { settings: true, own: false, idle: true },
    { settings: false, own: true, idle: false },
  ])('by the settings $settings and the node $own', ({ settings, own, idle }) => {
    const expected = { kind: 'work', work: 'clean', ...(idle ? { automated: false } : {}) };
    const provided = nodeAfter(
      continued(manageable({ automated_clean: own }), [provision('provide'), { at: 4000, automatedClean: settings }]),
    );
    expect(provided.effects.map(({ task }) => task)).toEqual([expected]);
    const tornDown = nodeAfter(
      continued(deleting({ automated_clean: own }), [done(4), { at: 9000, automatedClean: settings }]),
    );
    expect(tornDown.effects.map(({ task }) => task)).toEqual([expected]);
  });
});

describe('work whose conductor went away', () => {
  it.each([
    { name: 'deploying', past: deploying, state: 'deploy failed' },
    { name: 'deleting', past: deleting, state: 'error' },
    { name: 'cleaning', past: () => continued(deleting(), [done(4), 9000]), state: 'clean failed' },
  ])('$name becomes $state', ({ name, past, state }) => {
    const node = nodeAfter(continued(past(), [interrupt('all'), 10_000]));
    expect(node).toMatchObject({ provisionState: state, reservation: null, effects: [] });
    expect(node.lastError).toContain(`The ${name} state can't be resumed`);
  });
});

describe('the other verbs', () => {
  const rescued = () => continued(active(), [provision('rescue'), 8000], [done(4), 9000]);
  const verbs = [
    { target: 'adopt', past: manageable, effect: 2, running: 'adopting', done: 'active', failed: 'adopt failed' },
    { target: 'rescue', past: active, effect: 4, running: 'rescuing', done: 'rescue', failed: 'rescue failed' },
    { target: 'unrescue', past: rescued, effect: 5, running: 'unrescuing', done: 'active', failed: 'unrescue failed' },
    { target: 'service', past: active, effect: 4, running: 'servicing', done: 'active', failed: 'service failed' },
    { target: 'clean', past: manageable, effect: 2, running: 'cleaning', done: 'manageable', failed: 'clean failed' },
  ];

  it.each(verbs)('$target runs, ends and fails', ({ target, past, effect, running, done: end, failed: failure }) => {
    const started = continued(past(), [provision(target), 10_000]);
    expect(nodeAfter(started)).toMatchObject({
      provisionState: running,
      targetProvisionState: end,
      reservation: { host: HOST, effect },
      lastError: null,
    });
    expect(nodeAfter(continued(started, [done(effect), 11_000]))).toMatchObject({
      provisionState: end,
      targetProvisionState: null,
      reservation: null,
    });
    const unlucky = nodeAfter(continued(started, [failed(effect, 'why'), 11_000]));
    expect(unlucky).toMatchObject({ provisionState: failure, targetProvisionState: end, reservation: null });
    expect(unlucky.lastError).toMatch(/: why$/);
    const interrupted = nodeAfter(continued(started, [interrupt('all'), 11_000]));
    expect(interrupted).toMatchObject({ provisionState: failure, targetProvisionState: end, effects: [] });
  });

  it.each(verbs.filter(({ target }) => target !== 'adopt'))('$target is refused in maintenance', ({ target, past }) => {
    given(continued(past(), [maintain(), 9500]))
      .when(provision(target), 10_000)
      .thenRefused('IN_MAINTENANCE');
  });

  it.each([
    { target: 'rescue', past: active, code: 'VALIDATION_FAILED' },
    { target: 'unrescue', past: rescued, code: 'VALIDATION_FAILED' },
    { target: 'service', past: active, code: 'INVALID_PARAMETER' },
    { target: 'clean', past: manageable, code: 'INVALID_PARAMETER' },
  ] as const)('$target with interfaces that are not ready is $code', ({ target, past, code }) => {
    given(past())
      .when({ ...provision(target), problem: 'no address' }, 10_000)
      .thenRefused(code);
  });

  it('a password for the rescue ends with it, what else was told of the instance stays', () => {
    const changed = {
      instance_info: { image_source: 'x', rescue_password: { sealed: 'k', iv: 'i', tag: 't', data: 'd' } },
    };
    const past = continued(active(), [{ ...provision('rescue'), changed }, 8000], [done(4), 9000]);
    expect(nodeAfter(past).fields).toMatchObject(changed);
    const back = nodeAfter(continued(past, [provision('unrescue'), 9500], [done(5), 9900]));
    expect(back.fields.instance_info).toEqual({ image_source: 'x' });
  });

  it('adoption is asked for again, or given up', () => {
    const past = continued(manageable(), [provision('adopt'), 4000], [failed(2, 'why'), 5000]);
    expect(nodeAfter(continued(past, [provision('adopt'), 6000])).provisionState).toBe('adopting');
    expect(nodeAfter(continued(past, [provision('manage'), 6000])).provisionState).toBe('manageable');
  });

  it('a manual clean that failed may be managed, and its target is gone', () => {
    const past = continued(
      manageable(),
      [provision('clean'), 4000],
      [failed(2, 'why'), 5000],
      [provision('manage'), 6000],
    );
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'manageable', targetProvisionState: null });
  });

  it('a service that failed is given up by abort, not in maintenance, and its reason stays', () => {
    const past = continued(active(), [provision('service'), 8000], [failed(4, 'why'), 9000]);
    given(past).when(provision('abort'), 9500).thenRefused('STATE_CONFLICT');
    const cleared = continued(past, [{ type: 'ClearMaintenance' }, 9500]);
    const node = nodeAfter(continued(cleared, [provision('abort'), 10_000]));
    expect(node).toMatchObject({ provisionState: 'active', targetProvisionState: null, reservation: null });
    expect(node.lastError).toBe('Servicing failed: why');
    given(continued(cleared, [maintain(), 9600]))
      .when(provision('abort'), 10_000)
      .thenRefused('STATE_CONFLICT');
  });
});
