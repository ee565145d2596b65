import { Refusal } from '../refusal';
import type { RefusalCode } from '../refusal';
import { aNode } from '../node/spec';
import { checkPortChange, checkPortMove, checkPortRemoval, newPortDocument, portDefaults, storedMac } from '.';
import type { PortDocument } from '.';

const NODE = '11111111-2222-4333-8444-555555555555';
const PORT = 'dddddddd-0000-4000-8000-000000000001';
const link = { switch_id: '0a:1b:2c:3d:4e:5f', port_id: 'e1' };

const port = (fields: Partial<PortDocument> = {}): PortDocument =>
  newPortDocument({ address: '52:54:00:aa:bb:cc', ...fields }, NODE, PORT);

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('was not refused');
}

const expectRefused = (act: () => unknown, code: RefusalCode): void => expect(refusalOf(act).code).toBe(code);

describe('a MAC', () => {
  it.each(['52:54:00:AA:bb:Cc', '00:00:00:00:00:00'])('%s is stored in lower case', (mac) => {
    expect(storedMac(mac)).toBe(mac.toLowerCase());
  });

  it.each([
    '52-54-00-aa-bb-cc',
    '525400aabbcc',
    '52:54:00:aa:bb',
    '52:54:00:aa:bb:cc:dd',
    '5254.00aa.bbcc',
    ' 52:54:00:aa:bb:cc',
    '52:54:00:aa:bb:cc\n',
    '52:54:00:aa:bb:cg',
    '',
    null,
    undefined,
    12,
    ['52:54:00:aa:bb:cc'],
  ])('%j is refused', (mac) => expectRefused(() => storedMac(mac), 'INVALID_PARAMETER'));
});

describe('a new port', () => {
  it('has the defaults of the contract', () => {
    expect(newPortDocument({ address: '52:54:00:AA:BB:CC' }, NODE, PORT)).toEqual({
      ...portDefaults,
      uuid: PORT,
      node_uuid: NODE,
      address: '52:54:00:aa:bb:cc',
    });
  });

  it('takes null for empty', () => {
    expect(port({ extra: null, local_link_connection: null, is_smartnic: null } as never)).toEqual(port());
  });

  it.each(['pxe_enabled', 'available_for_dynamic_portgroup'])('needs a boolean for %s', (field) => {
    expectRefused(() => port({ [field]: null }), 'INVALID_PARAMETER');
  });

  it('needs an address', () => expectRefused(() => newPortDocument({}, NODE, PORT), 'INVALID_PARAMETER'));

  it('refuses an empty physical network', () =>
    expectRefused(() => port({ physical_network: '' }), 'INVALID_PARAMETER'));

  it('keeps the UUID and the node that the server gave it', () => {
    expect(port({ uuid: 'other', node_uuid: 'other' })).toMatchObject({ uuid: PORT, node_uuid: NODE });
  });
});

describe('local_link_connection', () => {
  it.each([
    {},
    link,
    { ...link, switch_info: 's', network_type: 'managed' },
    { port_id: 'rep0-0', hostname: 'host1' },
    { network_type: 'unmanaged' },
    { port_id: 'e1', 'vtep-logical-switch': 'l', 'vtep-physical-switch': 'p' },
    { switch_id: '0000000000000001', port_id: 'e1' },
  ])('%j is accepted', (value) => expect(port({ local_link_connection: value }).local_link_connection).toEqual(value));

  it.each([
    { foo: 'bar' },
    { ...link, foo: 'bar' },
    { port_id: 'e1' },
    { switch_id: link.switch_id },
    { network_type: 'managed' },
    { ...link, network_type: 'other' },
    { port_id: 7, switch_id: link.switch_id },
    { ...link, switch_info: null },
    { ...link, switch_id: 'switch' },
    { ...link, switch_id: '0a1b2c3d4e5f' },
    { ...link, 'vtep-logical-switch': 'l' },
    { port_id: 'e1', 'vtep-physical-switch': 'p' },
    { ...link, ['__proto__']: 'x' },
  ])('%j is refused', (value) => {
    expectRefused(() => port({ local_link_connection: value as never }), 'INVALID_PARAMETER');
  });

  it('holds its switch_id in lower case', () => {
    const stored = port({ local_link_connection: { ...link, switch_id: '0A:1B:2C:3D:4E:5F' } });
    expect(stored.local_link_connection).toEqual(link);
  });

  it('of a smart NIC names its host at creation', () => {
    expectRefused(() => port({ is_smartnic: true, local_link_connection: link }), 'INVALID_PARAMETER');
    expect(port({ is_smartnic: true }).is_smartnic).toBe(true);
    expect(port({ is_smartnic: true, local_link_connection: { port_id: 'r', hostname: 'h' } }).is_smartnic).toBe(true);
  });
});

describe('a change of a port', () => {
  const before = port();
  const moved = { ...before, address: '52:54:00:AA:BB:EE' };
  const plugs: Partial<PortDocument>[] = [
    { pxe_enabled: false },
    { portgroup_uuid: PORT },
    { local_link_connection: link },
    { physical_network: 'physnet1' },
  ];

  it('answers the document to be stored', () => {
    expect(checkPortChange(aNode(), before, moved, 82)).toEqual({ ...before, address: '52:54:00:aa:bb:ee' });
  });

  it('cannot change the uuid, nor drop the address or the node', () => {
    expect(checkPortChange(aNode(), before, { ...before, uuid: NODE }, 82).uuid).toBe(PORT);
    expectRefused(() => checkPortChange(aNode(), before, { ...before, address: null }, 82), 'INVALID_PARAMETER');
    expectRefused(() => checkPortChange(aNode(), before, { ...before, node_uuid: null }, 82), 'INVALID_PARAMETER');
  });

  it('in inspecting is refused from 1.39 on, also in maintenance, and allowed below [1.30]', () => {
    const node = aNode({ provisionState: 'inspecting' }, { maintenance: true });
    expectRefused(() => checkPortChange(node, before, moved, 39), 'STATE_CONFLICT');
    expect(checkPortChange(node, before, moved, 38).address).toBe('52:54:00:aa:bb:ee');
  });

  it('in inspect wait is allowed at every version [1.30]', () => {
    const node = aNode({ provisionState: 'inspect wait' });
    for (const minor of [18, 38, 39, 115])
      expect(() => checkPortChange(node, before, { ...moved, ...plugs[0] }, minor)).not.toThrow();
  });

  it('waits for the work that holds the node, after its form was checked', () => {
    const node = aNode({ reservation: { host: 'c1', effect: 1 } });
    const refusal = refusalOf(() => checkPortChange(node, before, before, 82));
    expect([refusal.code, refusal.waitsForRelease]).toEqual(['NODE_LOCKED', true]);
    expectRefused(() => checkPortChange(node, before, { ...before, physical_network: '' }, 82), 'INVALID_PARAMETER');
  });

  it.each([
    ['active', null],
    ['manageable', NODE],
  ] as const)('of the address of a node in %s with instance %s needs maintenance', (provisionState, instance_uuid) => {
    expectRefused(
      () => checkPortChange(aNode({ provisionState }, { instance_uuid }), before, moved, 82),
      'STATE_CONFLICT',
    );
    const node = aNode({ provisionState }, { instance_uuid, maintenance: true });
    expect(() => checkPortChange(node, before, moved, 82)).not.toThrow();
  });

  it('of the spelling of the address is none', () => {
    const same = { ...before, address: before.address.toUpperCase() };
    expect(checkPortChange(aNode({ provisionState: 'active' }), before, same, 82)).toEqual(before);
  });

  it.each(plugs)('%j is refused in available and inspect failed, and not in maintenance', (change) => {
    for (const provisionState of ['available', 'active', 'inspect failed'] as const) {
      const after = { ...before, ...change };
      expectRefused(() => checkPortChange(aNode({ provisionState }), before, after, 82), 'STATE_CONFLICT');
      expect(() => checkPortChange(aNode({ provisionState }, { maintenance: true }), before, after, 82)).not.toThrow();
    }
  });

  it.each(plugs)('%j is allowed in enroll, manageable and inspect wait', (change) => {
    for (const provisionState of ['enroll', 'manageable', 'inspect wait'] as const) {
      expect(() => checkPortChange(aNode({ provisionState }), before, { ...before, ...change }, 82)).not.toThrow();
    }
  });

  it('of extra is allowed in every state', () => {
    const after = { ...before, extra: { k: 1 } };
    expect(checkPortChange(aNode({ provisionState: 'active' }), before, after, 82).extra).toEqual({ k: 1 });
  });

  it('of the physical network of a group member is refused from 1.102 on', () => {
    const member = port({ portgroup_uuid: NODE });
    const after = { ...member, physical_network: 'physnet2' };
    expectRefused(() => checkPortChange(aNode(), member, after, 102), 'INVALID_PARAMETER');
    expect(checkPortChange(aNode(), member, after, 101).physical_network).toBe('physnet2');
  });
});

describe('a port', () => {
  it('moves to a node of the same owner only', () => {
    expect(() => checkPortMove(aNode(), aNode())).not.toThrow();
    expectRefused(() => checkPortMove(aNode(), aNode({}, { owner: 'p1' })), 'INVALID_PARAMETER');
  });

  it('is removed when nothing holds its node', () => {
    expect(() => checkPortRemoval(aNode({ provisionState: 'inspect wait' }))).not.toThrow();
    const refusal = refusalOf(() => checkPortRemoval(aNode({ reservation: { host: 'c1', effect: 1 } })));
    expect([refusal.code, refusal.waitsForRelease]).toEqual(['NODE_LOCKED', true]);
  });
});
