/** Boot modes that the settings refuse, over real HTTP. contract: node-api.md §3 (step 2), config.md */
import type { RawValue } from '@lib/contracts/settings';
import { ApiHarness } from './api-harness';

const option = (section: string, name: string, text: string): RawValue => ({ section, name, text, source: 'spec' });
const NEWEST = '1.115';
const patch = (...operations: object[]) => operations;
const written = (path: string, value: unknown, op = 'add') => ({ op, path, value });
const faultOf = ({ status, fault }: { status: number; fault: { faultstring: string } | undefined }) =>
  `${status} ${fault?.faultstring ?? ''}`;

let api: ApiHarness;
afterEach(() => api.stop());

describe('[api] disallowed_enrollment_boot_modes', () => {
  beforeEach(async () => {
    api = await ApiHarness.start([option('api', 'disallowed_enrollment_boot_modes', 'bios')]);
  });
  const enrolled = async (capabilities: unknown, version = NEWEST) =>
    faultOf(await api.call('POST', '/v1/nodes', version, { driver: 'fake-hardware', properties: { capabilities } }));

  it.each(['boot_mode:bios', 'a:b, boot_mode : BIOS', '{"boot_mode": "bios"}', { boot_mode: 'bios' }])(
    'refuses a new node with %j',
    async (capabilities) => {
      expect(await enrolled(capabilities)).toMatch(/^400 The boot mode bios is not allowed/);
      expect(api.script.received).toEqual([]);
    },
  );

  it.each(['boot_mode:uefi', 'my_boot_mode:bios', 'boot_mode', '', '{', 5, null, 'a:boot_mode:bios'])(
    'takes a new node with %j',
    async (capabilities) => {
      expect(await enrolled(capabilities)).toBe('201 ');
    },
  );

  it('is asked before the versions of fields', async () => {
    const body = { driver: 'fake-hardware', properties: { capabilities: 'boot_mode:bios' }, shard: 'a' };
    expect((await api.call('POST', '/v1/nodes', '1.5', body)).status).toBe(400);
    expect((await api.call('POST', '/v1/nodes', '1.5', { ...body, properties: {} })).status).toBe(406);
  });

  it('refuses a patch that writes such capabilities, and no other one', async () => {
    const node = await api.node({ properties: { capabilities: 'boot_mode:uefi' }, extra: { any: 1 } });
    const send = async (body: unknown) => faultOf(await api.call('PATCH', `/v1/nodes/${node}`, NEWEST, body));
    const bad = 'boot_mode:bios';
    expect(await send(patch(written('/properties/capabilities', bad, 'replace')))).toMatch(/^400 The boot mode bios/);
    expect(await send(patch(written('/properties', { capabilities: bad })))).toMatch(/^400 The boot mode bios/);
    expect(await send(patch(written('/extra/capabilities', bad), written('/properties/cpus', 4)))).toBe('200 ');
  });
});

describe('[conductor] disallowed_deployment_boot_modes', () => {
  beforeEach(async () => {
    api = await ApiHarness.start([option('conductor', 'disallowed_deployment_boot_modes', 'bios')]);
  });
  const capable = (mode: string) => ({ capabilities: `boot_mode:${mode}` });

  it.each<[string, object, boolean]>([
    ['nothing known', {}, true],
    ['the node', { properties: capable('bios') }, false],
    ['the instance', { instance_info: { capabilities: '{"boot_mode": "bios"}' }, properties: capable('uefi') }, false],
    ['an instance that says otherwise', { instance_info: capable('uefi'), properties: capable('bios') }, true],
    ['what the machine is set to', { boot_mode: 'bios' }, false],
    ['a node that says otherwise', { properties: capable('uefi'), boot_mode: 'bios' }, true],
  ])('by %s', async (_what, fields, goesOn) => {
    for (const [target, state] of [
      ['active', 'available'],
      ['rebuild', 'active'],
    ]) {
      const node = await api.node({}, { provision_state: state, ...fields });
      const path = `/v1/nodes/${node}/states/provision`;
      const answer = faultOf(await api.call('PUT', path, NEWEST, { target }));
      expect(answer).toMatch(goesOn ? /^202 $/ : /^400 Node .* can not be deployed in the boot mode bios/);
    }
  });

  it('leaves other verbs alone', async () => {
    const node = await api.node({ properties: capable('bios') }, { provision_state: 'available' });
    expect((await api.call('PUT', `/v1/nodes/${node}/states/provision`, NEWEST, { target: 'manage' })).status).toBe(
      202,
    );
  });
});
