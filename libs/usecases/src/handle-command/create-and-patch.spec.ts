import type { Command, PatchOperation } from '@lib/contracts';
import {
  NODE,
  World,
  creation,
  documentOf,
  eventData,
  maintain,
  manageable,
  patch,
  provision,
  replace,
  uuidOf,
} from '../../../../test/world';

const ok = { ok: true, result: {} };
const OTHER = uuidOf(2);
const remove = (path: string): PatchOperation => ({ op: 'remove', path });
const add = (path: string, value?: unknown): PatchOperation => ({
  op: 'add',
  path,
  ...(value === undefined ? {} : { value }),
});

describe('creating a node', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
  });
  afterEach(() => world.stop());

  const create = (fields: Readonly<Record<string, unknown>>, uuid = NODE): Command => ({
    type: 'CreateNode',
    uuid,
    fields,
    initialState: 'enroll',
  });

  it('fills every interface with the best that the hardware type knows and the settings enable', async () => {
    await world.do(create({ driver: 'fake-hardware' }));
    await world.do(create({ driver: 'manual-management', deploy_interface: 'direct' }, OTHER));
    expect(await documentOf(world)).toMatchObject({
      inspect_interface: 'fake',
      boot_interface: 'fake',
      network_interface: 'noop',
    });
    expect(await documentOf(world, OTHER)).toMatchObject({
      inspect_interface: 'inspector',
      boot_interface: 'ipxe',
      management_interface: 'noop',
      bios_interface: 'no-bios',
    });
  });

  it('keeps what was sent and takes null for absent', async () => {
    await world.do(
      create({
        driver: 'fake-hardware',
        name: 'n1',
        extra: { a: [1] },
        properties: null,
        inspect_interface: null,
        maintenance: 'yes',
      }),
    );
    expect(await documentOf(world)).toMatchObject({
      uuid: NODE,
      name: 'n1',
      extra: { a: [1] },
      properties: {},
      inspect_interface: 'fake',
      maintenance: true,
      provision_state: 'enroll',
      power_state: null,
      updated_at: null,
      created_at: '2026-11-30T08:00:00.000000+00:00',
    });
  });

  it.each([
    ['an unknown driver', { driver: 'nothing' }, 'NO_VALID_HOST'],
    ['a driver that is not enabled', { driver: 'redfish' }, 'NO_VALID_HOST'],
    ['no driver', {}, 'NO_VALID_HOST'],
    ['an interface that is not enabled', { driver: 'fake-hardware', power_interface: 'ipmitool' }, 'INVALID_INTERFACE'],
    ['an interface of another type', { driver: 'manual-management', bios_interface: 'fake' }, 'INVALID_INTERFACE'],
    ['an unknown field', { driver: 'fake-hardware', bogus: 1 }, 'INVALID_PARAMETER'],
    ['a field of another kind', { driver: 'fake-hardware', extra: 'text' }, 'INVALID_PARAMETER'],
    ['a boolean that is none', { driver: 'fake-hardware', maintenance: 'perhaps' }, 'INVALID_PARAMETER'],
    [
      'a deadline below nothing',
      { driver: 'fake-hardware', driver_info: { inspect_wait_timeout: -1 } },
      'INVALID_PARAMETER',
    ],
    [
      'a deadline in words',
      { driver: 'fake-hardware', driver_info: { inspect_wait_timeout: '60' } },
      'INVALID_PARAMETER',
    ],
    [
      'a deadline beyond ten years',
      { driver: 'fake-hardware', driver_info: { inspect_wait_timeout: 4e8 } },
      'INVALID_PARAMETER',
    ],
  ])('refuses %s and stores nothing', async (_name, fields, code) => {
    expect(await world.ask(create(fields))).toMatchObject({ ok: false, code });
    expect(await world.memory.log.head()).toBe(0);
  });

  it('names driver and group where no conductor serves them', async () => {
    const reply = (await world.ask(create({ driver: 'redfish', conductor_group: 'east' }))) as { message: string };
    expect(reply.message).toMatch(/^No valid host was found.*redfish.*east/);
  });

  it.each([
    ['uuid', {}, NODE, 'DUPLICATE_UUID', NODE],
    ['name', { name: 'taken' }, OTHER, 'DUPLICATE_NAME', 'taken'],
    ['instance', { instance_uuid: uuidOf(50) }, OTHER, 'DUPLICATE_INSTANCE', uuidOf(50)],
  ])('refuses a %s that is taken, and names it', async (_name, fields, uuid, code, named) => {
    await world.do(creation(NODE, { name: 'taken', instance_uuid: uuidOf(50) }));
    const reply = await world.ask(creation(uuid, fields));
    expect(reply).toMatchObject({ ok: false, code });
    expect((reply as { message: string }).message).toContain(named);
    expect(await documentOf(world, OTHER)).toBeNull();
  });

  it('gives a name to one of two that want it at once', async () => {
    const sent = [NODE, OTHER].map((uuid) => world.send(creation(uuid, { name: 'wanted' })));
    await world.settle();
    expect(sent.map(({ reply }) => reply)).toEqual([ok, expect.objectContaining({ code: 'DUPLICATE_NAME' })]);
  });
});

describe('patching a node', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.conductor();
    await manageable(world, NODE, { name: 'n1', extra: { a: { b: [1, 2] } }, description: 'text' });
  });
  afterEach(() => world.stop());

  const refused = async (operations: readonly PatchOperation[], code: string): Promise<string> => {
    const before = await documentOf(world);
    const reply = await world.ask(patch(operations));
    expect(reply).toMatchObject({ ok: false, code });
    expect(await documentOf(world)).toEqual(before);
    return (reply as { message: string }).message;
  };
  const patched = async (...operations: readonly PatchOperation[]) => {
    await world.do(patch(operations));
    return documentOf(world);
  };

  it.each<[string, PatchOperation[], object]>([
    ['adds below a field', [add('/extra/k', 1)], { extra: { a: { b: [1, 2] }, k: 1 } }],
    ['replaces a whole field', [replace('/extra', { z: 1 })], { extra: { z: 1 } }],
    ['adds to a list', [add('/extra/a/b/-', 3)], { extra: { a: { b: [1, 2, 3] } } }],
    ['removes from a list', [remove('/extra/a/b/0')], { extra: { a: { b: [2] } } }],
    ['replaces inside a list', [replace('/extra/a/b/1', 'x')], { extra: { a: { b: [1, 'x'] } } }],
    [
      'applies operations in order',
      [add('/extra/k', 1), replace('/extra/k', 2), remove('/extra/a')],
      { extra: { k: 2 } },
    ],
    ['reads the escapes of a path', [add('/extra/x~1y~0z', 1), remove('/extra/a')], { extra: { 'x/y~z': 1 } }],
    ['empties an object', [remove('/extra')], { extra: {} }],
    ['takes null for an empty object', [replace('/extra', null)], { extra: {} }],
    ['empties a text', [remove('/description')], { description: null }],
    ['empties what is empty', [remove('/owner')], { owner: null }],
    ['adds and replaces a field alike', [add('/owner', 'me')], { owner: 'me' }],
    ['removes the name', [remove('/name')], { name: null }],
    ['names and unnames in one go', [replace('/name', 'x'), remove('/name')], { name: null }],
    ['takes the words of booleans', [replace('/disable_power_off', 'on')], { disable_power_off: true }],
    ['lowers the conductor group', [replace('/conductor_group', 'East')], { conductor_group: 'east' }],
    ['does nothing with nothing to do', [], { name: 'n1' }],
  ])('%s', async (_name, operations, expected) => {
    expect(await patched(...operations)).toMatchObject(expected);
  });

  it.each<[string, PatchOperation[], string]>([
    ['a missing key replaced', [replace('/extra/missing', 1)], 'INVALID_PATCH'],
    ['a missing key removed', [remove('/extra/missing')], 'INVALID_PATCH'],
    ['an add without value', [add('/extra/k')], 'INVALID_PATCH'],
    ['an add of a field without value', [add('/owner')], 'INVALID_PATCH'],
    ['a path through nothing', [add('/extra/x/y/z', 1)], 'INVALID_PATCH'],
    ['a path into a text', [add('/name/x', 1)], 'INVALID_PATCH'],
    ['a path into a number of a list', [add('/extra/a/b/0/x', 1)], 'INVALID_PATCH'],
    ['an index beyond a list', [add('/extra/a/b/9', 1)], 'INVALID_PATCH'],
    ['a good one before a bad one', [replace('/name', 'n2'), remove('/extra/missing')], 'INVALID_PATCH'],
    ['a prototype', [add('/extra/__proto__/polluted', 1)], 'INVALID_PATCH'],
    ['a constructor', [add('/extra/constructor/prototype/polluted', 1)], 'INVALID_PATCH'],
    ['a prototype as a field', [add('/__proto__', { polluted: 1 })], 'INVALID_PARAMETER'],
    ['a field that is none', [add('/bogus', 1)], 'INVALID_PARAMETER'],
    ['the name set to null', [replace('/name', null)], 'INVALID_PARAMETER'],
    ['the name set to nothing', [replace('/name', '')], 'INVALID_PARAMETER'],
    ['the driver removed', [remove('/driver')], 'INVALID_PARAMETER'],
    ['the driver set to null', [replace('/driver', null)], 'INVALID_PARAMETER'],
    ['the conductor group removed', [remove('/conductor_group')], 'INVALID_PARAMETER'],
    ['the conductor group set to null', [replace('/conductor_group', null)], 'INVALID_PARAMETER'],
    ['maintenance set to null', [replace('/maintenance', null)], 'INVALID_PARAMETER'],
    ['a text where an object belongs', [replace('/extra', 'text')], 'INVALID_PARAMETER'],
    ['a list where an object belongs', [replace('/extra', [])], 'INVALID_PARAMETER'],
    ['a driver that nobody serves', [replace('/driver', 'redfish')], 'NO_VALID_HOST'],
    ['an interface that is not enabled', [replace('/boot_interface', 'nonsense')], 'INVALID_INTERFACE'],
    ['a deadline in words', [add('/driver_info/inspect_wait_timeout', 'soon')], 'INVALID_PARAMETER'],
  ])('refuses %s, and leaves everything as it was', async (_name, operations, code) => {
    await refused(operations, code);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('names operation, path and reason of what cannot be applied', async () => {
    const text = await refused([remove('/extra/missing')], 'INVALID_PATCH');
    expect(text).toContain("Couldn't apply patch");
    expect(text).toContain('/extra/missing');
    expect(text).toContain('Reason');
  });

  it('renames forth and back, and frees the name that was left', async () => {
    await patched(replace('/name', 'n2'));
    await world.do(creation(OTHER, { name: 'n1' }));
    await refused([replace('/name', 'n1')], 'DUPLICATE_NAME');
    await world.do(patch([replace('/name', 'n3')], OTHER));
    expect(await patched(replace('/name', 'n1'))).toMatchObject({ name: 'n1' });
    expect(await world.memory.readModel.owners('node.name', ['n1', 'n2', 'n3'])).toEqual(
      new Map([
        ['n1', `node/${NODE}`],
        ['n3', `node/${OTHER}`],
      ]),
    );
  });

  it('swaps nothing: an instance is removed before another comes', async () => {
    await patched(add('/instance_uuid', uuidOf(50)));
    await refused([replace('/instance_uuid', uuidOf(51))], 'NODE_ASSOCIATED');
    await manageable(world, OTHER);
    expect(await world.ask(patch([add('/instance_uuid', uuidOf(50))], OTHER))).toMatchObject({
      code: 'DUPLICATE_INSTANCE',
    });
    await patched(remove('/instance_uuid'));
    expect(await world.ask(patch([add('/instance_uuid', uuidOf(50))], OTHER))).toEqual(ok);
  });

  it('keeps interfaces through a change of driver only where the new one knows them', async () => {
    await refused([replace('/driver', 'manual-management')], 'INVALID_INTERFACE');
    await world.do(patch([replace('/driver', 'manual-management')], NODE, { resetInterfaces: true }));
    expect(await documentOf(world)).toMatchObject({
      driver: 'manual-management',
      boot_interface: 'ipxe',
      bios_interface: 'no-bios',
    });
  });

  it('resets every interface that the patch does not name', async () => {
    const operations = [replace('/driver', 'manual-management'), replace('/boot_interface', 'pxe')];
    await world.do(patch(operations, NODE, { resetInterfaces: true }));
    expect(await documentOf(world)).toMatchObject({
      boot_interface: 'pxe',
      inspect_interface: 'inspector',
      raid_interface: 'no-raid',
    });
  });

  it('gives a removed interface the default of the driver that the patch leads to', async () => {
    await patched(replace('/inspect_interface', 'agent'));
    expect(await patched(remove('/inspect_interface'))).toMatchObject({ inspect_interface: 'fake' });
    const kinds = ['bios', 'boot', 'console', 'deploy', 'firmware', 'raid', 'rescue', 'vendor', 'inspect'];
    await patched(replace('/driver', 'manual-management'), ...kinds.map((kind) => remove(`/${kind}_interface`)));
    expect(await documentOf(world)).toMatchObject({ inspect_interface: 'inspector', boot_interface: 'ipxe' });
  });

  it('changes the driver of a node whose own driver is served no more', async () => {
    const unserved: Record<string, unknown> = { ...(await eventData(world, 'NodeEnrolled'))[0], at: world.clock.now() };
    const fields = { ...(unserved['fields'] as object), driver: 'redfish', name: null };
    const meta = { commandId: 'by hand', requestId: null, actor: null, source: 'spec', at: 0, causation: null };
    await world.memory.log.append({
      writes: [
        {
          stream: `node/${OTHER}`,
          expected: 'absent',
          events: [{ type: 'NodeEnrolled', schema: 1, data: { ...unserved, uuid: OTHER, fields } }],
        },
      ],
      changes: [],
      meta,
    });
    expect(await world.ask(patch([replace('/extra', {})], OTHER))).toMatchObject({ code: 'NO_VALID_HOST' });
    expect(await world.ask(patch([replace('/driver', 'fake-hardware')], OTHER))).toEqual(ok);
  });

  it('waits for nothing in maintenance but the release, and 404s for a node that is not there', async () => {
    await world.do(maintain());
    expect(await patched(replace('/maintenance', false))).toMatchObject({
      maintenance: false,
      maintenance_reason: null,
    });
    expect(await world.ask(patch([], OTHER))).toMatchObject({ ok: false, code: 'NODE_NOT_FOUND' });
    expect(await world.ask(provision('inspect', OTHER))).toMatchObject({ ok: false, code: 'NODE_NOT_FOUND' });
  });

  it('validates before it inspects, in the words of the driver', async () => {
    world.script.play('validate', () => 'the address is missing');
    const reply = await world.ask(provision('inspect'));
    expect(reply).toEqual({ ok: false, code: 'INVALID_PARAMETER', message: 'the address is missing' });
    expect(await documentOf(world)).toMatchObject({ provision_state: 'manageable' });
  });
});
