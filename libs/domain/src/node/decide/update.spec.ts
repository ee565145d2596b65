import { specify } from '@lib/testing/specify';
import type { EffectTask, Node, NodeCommand, NodeFields, NodeStream } from '..';
import { unmanaged } from '../../management';
import { provisionStates, updateAllowed } from '../../states';
import type { ProvisionState } from '../../states';
import { defaultTarget } from '../../states';
import { aNode, contextAt, inspecting, manageable, maintain, continued, nodeAfter, nodeDecider, update } from '../spec';

const A = '99999999-2222-4333-8444-555555555555';
const B = '88888888-2222-4333-8444-555555555555';

/** A node that stands in a state, with fields; then the patch changes some. */
function patching(
  state: Partial<Node>,
  before: Partial<NodeFields>,
  change: Partial<NodeFields>,
  rest: Parameters<typeof update>[1] = {},
) {
  const target = state.provisionState ? { targetProvisionState: defaultTarget(state.provisionState) } : {};
  const node = aNode({ ...target, ...state }, before);
  const initial = { counters: { attempt: 0, effect: 0, deadline: 0 }, node };
  return specify({ ...nodeDecider, initial }, contextAt)().when(update({ ...node.fields, ...change }, rest), 5000);
}
const changed = (fields: Partial<NodeFields>) => ({
  type: 'NodeUpdated' as const,
  data: { at: 5000, changed: fields },
});
const reservation = { host: 'h', effect: 1 };
const free: readonly ProvisionState[] = ['enroll', 'inspecting', 'inspect wait', 'manageable', 'available'];

describe('an update', () => {
  it('records what differs', () => {
    patching({}, { extra: { a: 1 } }, { extra: { a: 2 }, name: 'n2' }).then(changed({ extra: { a: 2 }, name: 'n2' }));
  });

  it('of nothing is recorded as such, for it touches the node', () => {
    patching({}, { extra: { a: 1, b: 2 } }, { extra: { b: 2, a: 1 } }).then(changed({}));
  });

  it('to another driver waits for the end of the console', () => {
    const managed = { ...unmanaged, consoleEnabled: true };
    patching({ managed }, {}, { driver: 'redfish' }).thenRefused('STATE_CONFLICT');
    patching({ managed }, {}, { extra: { a: 1 } }).then(changed({ extra: { a: 1 } }));
    patching({}, {}, { driver: 'redfish' }).then(changed({ driver: 'redfish' }));
  });

  it('keeps what it does not name, and stamps the node', () => {
    const past = continued(manageable({ name: 'n1' }), [update(nodeAfter(manageable({ name: 'n2' })).fields), 7000]);
    expect(nodeAfter(past)).toMatchObject({
      fields: { name: 'n2', driver: 'fake-hardware' },
      updatedAt: 7000,
      provisionUpdatedAt: 3000,
    });
  });

  it('needs a node', () => {
    specify(nodeDecider, contextAt)().when(update(aNode().fields), 0).thenRefused('NODE_NOT_FOUND');
  });
});

describe('the key that seals a node', () => {
  const fields = aNode().fields;

  it('comes with its first secret and stays through updates that bring none', () => {
    const first: NodeCommand = { ...update(fields), keyId: 'key-2' } as NodeCommand;
    patching({ keyId: null }, {}, {}).then(changed({}));
    const keyed = specify({ ...nodeDecider, initial: withKey(null) }, contextAt)()
      .when(first, 5000)
      .thenState();
    expect(keyed.node?.keyId).toBe('key-2');
    const later = specify({ ...nodeDecider, initial: keyed }, contextAt)()
      .when(update(fields), 6000)
      .thenState();
    expect(later.node?.keyId).toBe('key-2');
  });

  const withKey = (keyId: string | null): NodeStream => ({
    counters: { attempt: 0, effect: 0, deadline: 0 },
    node: aNode({ keyId }),
  });
});

describe('the state that an update is made in', () => {
  const moving = provisionStates.filter((state) => defaultTarget(state) !== null);
  const allowed = moving.filter((state) => (updateAllowed as ReadonlySet<string>).has(state));

  it.each(moving.filter((state) => !allowed.includes(state)))(
    '%s refuses it as a transition in progress',
    (provisionState) => {
      patching({ provisionState }, {}, { extra: { a: 1 } }).thenRefused('STATE_CONFLICT');
    },
  );

  it.each([...free, ...allowed])('%s allows it below 1.39 [1.30]', (provisionState) => {
    patching({ provisionState }, {}, { extra: { a: 1 } }, { minor: 38 }).then(changed({ extra: { a: 1 } }));
  });

  it.each([38, 39, 82, 115])('inspect wait allows it at 1.%d [1.30]', (minor) => {
    patching({ provisionState: 'inspect wait' }, {}, { extra: { a: 1 } }, { minor }).then(changed({ extra: { a: 1 } }));
  });

  it('inspecting refuses it from 1.39 on, held or not [1.30]', () => {
    patching({ provisionState: 'inspecting' }, {}, {}, { minor: 39 }).thenRefused('STATE_CONFLICT');
    patching({ provisionState: 'inspecting', reservation }, {}, {}, { minor: 39 }).thenRefused('STATE_CONFLICT');
  });

  it('does not matter to the one patch that frees a maintained node of its instance', () => {
    const before = { maintenance: true, instance_uuid: A };
    const only = { onlyRemovesInstance: true };
    patching({ provisionState: 'deploying' }, before, { instance_uuid: null }, only).then(
      changed({ instance_uuid: null }),
    );
    patching({ provisionState: 'deploying' }, before, { instance_uuid: null }).thenRefused('STATE_CONFLICT');
    patching({ provisionState: 'deploying' }, { instance_uuid: A }, { instance_uuid: null }, only).thenRefused(
      'STATE_CONFLICT',
    );
    patching({ provisionState: 'deploying', reservation }, before, { instance_uuid: null }, only).thenRefused(
      'NODE_LOCKED',
      true,
    );
  });
});

describe('a reservation', () => {
  it('makes an update wait, after its state was judged and before its values are', () => {
    patching({ reservation }, {}, { protected: true }).thenRefused('NODE_LOCKED', true);
    patching({ provisionState: 'cleaning', reservation }, {}, {}).thenRefused('STATE_CONFLICT');
    specify(
      nodeDecider,
      contextAt,
    )(inspecting())
      .when(update(nodeAfter(inspecting()).fields, { minor: 38 }), 11_000)
      .thenRefused('NODE_LOCKED', true);
  });

  const changing = (
    task: EffectTask,
    change: Partial<NodeFields>,
    provisionState: ProvisionState = 'manageable',
    minor = 82,
  ) => patching({ provisionState, reservation, effects: [{ n: 1, attempt: null, task }] }, {}, change, { minor });
  const power: EffectTask = { kind: 'power', target: 'power on', timeoutSeconds: null, cleanUp: false };
  const device: EffectTask = { kind: 'set boot device', device: 'pxe', persistent: false };
  const act: EffectTask = { kind: 'manage', act: { act: 'set boot mode', mode: 'uefi' } };
  const beside = { extra: { a: 1 }, name: 'n9', description: 'd', owner: 'o', lessee: 'l', resource_class: 'r' };

  it.each([power, device, act])('by a call of $kind lets through what no BMC is told of', (task) => {
    changing(task, beside).then(changed(beside));
    changing(task, {}).then(changed({}));
  });

  it.each<Partial<NodeFields>>([
    { driver_info: { a: 1 } },
    { driver: 'redfish' },
    { power_interface: 'redfish' },
    { properties: { a: 1 } },
    { disable_power_off: true },
    { extra: { a: 1 }, instance_info: { b: 1 } },
  ])('by a power change makes a change of %j wait', (change) => {
    changing(power, change).thenRefused('NODE_LOCKED', true);
  });

  it('by work of the node itself makes every update wait', () => {
    changing({ kind: 'work', work: 'verify' } as EffectTask, beside).thenRefused('NODE_LOCKED', true);
    changing({ kind: 'clean up boot', interface: 'ipxe' }, beside).thenRefused('NODE_LOCKED', true);
    changing(power, beside, 'inspecting', 38).thenRefused('NODE_LOCKED', true);
  });

  it('does not make maintenance by its own command wait', () => {
    expect(nodeAfter(continued(inspecting(), [maintain(), 11_000])).fields.maintenance).toBe(true);
  });
});

describe('protected', () => {
  it.each(['active', 'rescue'] as const)('may be set in %s', (provisionState) => {
    patching({ provisionState }, {}, { protected: true, protected_reason: 'db' }).then(
      changed({ protected: true, protected_reason: 'db' }),
    );
  });

  it('is refused elsewhere, but may stay', () => {
    patching({ provisionState: 'manageable' }, {}, { protected: true }).thenRefused('STATE_CONFLICT');
    patching({ provisionState: 'deploy failed' }, { protected: true }, { extra: { a: 1 } }).then(
      changed({ extra: { a: 1 } }),
    );
  });

  it('is needed for its reason, and takes it along', () => {
    patching({ provisionState: 'active' }, {}, { protected_reason: 'db' }).thenRefused('INVALID_PARAMETER');
    patching({ provisionState: 'active' }, { protected: true, protected_reason: 'db' }, { protected: false }).then(
      changed({ protected: false, protected_reason: null }),
    );
  });
});

describe('retired', () => {
  it('is refused in available, and allowed elsewhere', () => {
    patching({ provisionState: 'available' }, {}, { retired: true }).thenRefused('STATE_CONFLICT');
    patching({ provisionState: 'manageable' }, {}, { retired: true, retired_reason: 'old' }).then(
      changed({ retired: true, retired_reason: 'old' }),
    );
  });

  it('is needed for its reason, and takes it along', () => {
    patching({}, {}, { retired_reason: 'old' }).thenRefused('INVALID_PARAMETER');
    patching({}, { retired: true, retired_reason: 'old' }, { retired: false }).then(
      changed({ retired: false, retired_reason: null }),
    );
  });
});

describe('an interface', () => {
  const change = { inspect_interface: 'agent' };
  const named = { namedInterfaces: ['inspect_interface'], minor: 38 };

  it.each(free)('named in the patch may change in %s', (provisionState) => {
    patching({ provisionState }, {}, change, named).then(changed(change));
  });

  it.each(['active', 'inspect failed', 'clean failed', 'error'] as const)(
    'is refused in %s, and not in maintenance',
    (provisionState) => {
      patching({ provisionState }, {}, change, named).thenRefused('STATE_CONFLICT');
      patching({ provisionState }, { maintenance: true }, change, named).then(changed(change));
      patching({ provisionState }, {}, { ...change, maintenance: true }, named).thenRefused('STATE_CONFLICT');
    },
  );

  it('that is named but the same is no change', () => {
    patching({ provisionState: 'active' }, {}, { inspect_interface: 'fake' }, named).then(changed({}));
  });

  it('that is only reset along with the driver is not checked', () => {
    const reset = { driver: 'redfish', inspect_interface: 'redfish' };
    patching({ provisionState: 'inspect failed' }, {}, reset, { namedInterfaces: [] }).then(changed(reset));
  });
});

describe('an instance', () => {
  it('may be set, kept and removed, but not exchanged', () => {
    patching({ provisionState: 'active' }, {}, { instance_uuid: A }).then(changed({ instance_uuid: A }));
    patching({ provisionState: 'active' }, { instance_uuid: A }, {}).then(changed({}));
    patching({ provisionState: 'active' }, { instance_uuid: A }, { instance_uuid: null }).then(
      changed({ instance_uuid: null }),
    );
    patching({ provisionState: 'active' }, { instance_uuid: A }, { instance_uuid: B }).thenRefused('NODE_ASSOCIATED');
    patching({}, { instance_uuid: A, maintenance: true }, { instance_uuid: B }).thenRefused('NODE_ASSOCIATED');
  });

  it('gives its display name to a node whose instance has none', () => {
    const info = { instance_info: { display_name: 'vm-1' } };
    patching({}, {}, info).then(changed({ ...info, instance_name: 'vm-1' }));
    patching({}, { instance_name: 'mine' }, info).then(changed(info));
    patching({}, {}, { ...info, instance_name: 'mine' }).then(changed({ ...info, instance_name: 'mine' }));
  });

  it.each([7, '', null, undefined, { a: 1 }])('has no name in display_name %j', (display_name) => {
    const info = { instance_info: { display_name } as NodeFields['instance_info'] };
    expect(patching({}, {}, info).thenState().node?.fields.instance_name).toBeNull();
  });

  it('keeps a name removed while instance_info is not changed, also when that is written again', () => {
    const instance_info = { display_name: 'vm-1' };
    patching(
      {},
      { instance_info, instance_name: 'vm-1' },
      { instance_info: { ...instance_info }, instance_name: null },
    ).then(changed({ instance_name: null }));
  });
});

describe('a resource class', () => {
  it('may be set in every state that allows updates', () => {
    patching({ provisionState: 'active' }, {}, { resource_class: 'gold' }).then(changed({ resource_class: 'gold' }));
  });

  it.each(free)('may change in %s', (provisionState) => {
    patching({ provisionState }, { resource_class: 'gold' }, { resource_class: 'tin' }, { minor: 38 }).then(
      changed({ resource_class: 'tin' }),
    );
  });

  it.each(['active', 'inspect failed'] as const)('may not change in %s, maintenance or not', (provisionState) => {
    for (const maintenance of [false, true]) {
      patching({ provisionState }, { resource_class: 'gold', maintenance }, { resource_class: 'tin' }).thenRefused(
        'STATE_CONFLICT',
      );
      patching({ provisionState }, { resource_class: 'gold', maintenance }, { resource_class: null }).thenRefused(
        'STATE_CONFLICT',
      );
    }
  });
});

describe("a deadline of the node's own", () => {
  it('is checked last', () => {
    const bad = { driver_info: { inspect_wait_timeout: 'soon' } };
    patching({}, {}, bad).thenRefused('INVALID_PARAMETER');
    patching({ provisionState: 'active' }, { resource_class: 'gold' }, { ...bad, resource_class: 'tin' }).thenRefused(
      'STATE_CONFLICT',
    );
  });
});

describe('the order of the checks', () => {
  const everythingWrong = {
    protected: true,
    retired_reason: 'x',
    inspect_interface: 'agent',
    instance_uuid: B,
    resource_class: 'tin',
    driver_info: { inspect_wait_timeout: -1 },
  };
  const before = { instance_uuid: A, resource_class: 'gold' };
  const named = { namedInterfaces: ['inspect_interface'] };
  const text = (change: Partial<NodeFields>, code: Parameters<ReturnType<typeof patching>['thenRefused']>[0]) =>
    patching({ provisionState: 'inspect failed' }, before, change, named).thenRefused(code).message;

  it('is flags, interfaces, instance, resource class, deadline', () => {
    const { protected: _, retired_reason: __, ...noFlags } = everythingWrong;
    const { inspect_interface: ___, ...noInterface } = noFlags;
    const { instance_uuid: ____, ...noInstance } = noInterface;
    const { resource_class: _____, ...deadline } = noInstance;
    expect(text(everythingWrong, 'STATE_CONFLICT')).toContain('protected');
    expect(text(noFlags, 'STATE_CONFLICT')).toContain('inspect_interface');
    expect(text(noInterface, 'NODE_ASSOCIATED')).toContain(A);
    expect(text(noInstance, 'STATE_CONFLICT')).toContain('resource class');
    expect(text(deadline, 'INVALID_PARAMETER')).toContain('inspect_wait_timeout');
  });
});
