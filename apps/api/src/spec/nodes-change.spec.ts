/** Changes of nodes over real HTTP with a scripted conductor. contract: node-api.md §6-8, §10-14 */
import type { Command } from '@lib/contracts';
import { ApiHarness } from './api-harness';

let api: ApiHarness;
beforeEach(async () => {
  api = await ApiHarness.start([{ section: 'api', name: 'max_limit', text: '4', source: 'spec' }]);
});
afterEach(() => api.stop());

const lastCommand = (): Command | undefined => api.script.received.at(-1)?.command;
const faultOf = async (sent: Promise<{ status: number; fault: { faultstring?: string } }>) => {
  const { status, fault } = await sent;
  return `${status} ${fault?.faultstring ?? JSON.stringify(fault)}`;
};
const patch = (ident: string, operations: unknown, version = '1.115') =>
  api.call('PATCH', `/v1/nodes/${ident}`, version, operations);
const provision = (ident: string, body: unknown, version = '1.115') =>
  api.call('PUT', `/v1/nodes/${ident}/states/provision`, version, body);

describe('PATCH', () => {
  it('sends the operations as they will be stored and shows who held the node', async () => {
    const uuid = await api.node({ name: 'p' });
    const answer = await patch('p', [
      { op: 'replace', path: '/maintenance', value: 'on' },
      { op: 'add', path: '/conductor_group', value: '' },
    ]);
    expect([answer.status, answer.body.maintenance, answer.body.reservation]).toEqual([200, true, 'rack-1']);
    expect(lastCommand()).toMatchObject({
      type: 'PatchNode',
      uuid,
      minor: 115,
      resetInterfaces: false,
      patch: [{ value: true }, { value: '' }],
    });
  });

  it.each<[unknown, string, RegExp]>([
    [{}, '1.115', /^400 /],
    ['[{"op"', '1.115', /^400 /],
    [null, '1.115', /^400 /],
    [[{ op: 'test', path: '/name', value: 1 }], '1.115', /^400 /],
    [[{ op: 'add', path: '/name' }], '1.115', /^400 Couldn't apply patch/],
    [[{ op: 'add', path: '/extra/a b', value: 1 }], '1.115', /^400 .*path/],
    [[{ op: 'add', path: '/extra/a~1b', value: 1 }], '1.97', /^400 .*path/],
    [[{ op: 'replace', path: '/uuid', value: 1 }], '1.115', /^400 Cannot patch \/uuid/],
    [[{ op: 'replace', path: '/name', value: 'x' }], '1.4', /^406 /],
    [[{ op: 'replace', path: '/name', value: null }], '1.115', /^400 /],
    [[{ op: 'replace', path: '/resource_class', value: 5 }], '1.115', /^400 .*resource_class/],
    [[{ op: 'remove', path: '/driver' }], '1.115', /^400 /],
    [[{ op: 'replace', path: '/driver', value: 'nope' }], '1.115', /^400 No valid host/],
    [[{ op: 'add', path: '/network_data', value: {} }], '1.115', /^400 .*network_data/],
    [[{ op: 'add', path: '/driver_info/inspect_wait_timeout', value: 1e10 }], '1.115', /^400 .*inspect_wait_timeout/],
  ])('refuses %j at %s', async (operations, version, text) => {
    const uuid = await api.node();
    const before = api.script.received.length;
    expect(await faultOf(patch(uuid, operations, version))).toMatch(text);
    expect(api.script.received).toHaveLength(before);
  });

  it('takes the escapes of JSON pointers from 1.98', async () => {
    const uuid = await api.node({ extra: {} });
    const { body } = await patch(uuid, [{ op: 'add', path: '/extra/a~1b', value: 1 }], '1.98');
    expect(body.extra).toEqual({ 'a/b': 1 });
  });

  it('wants reset_interfaces with a driver, from 1.45', async () => {
    const uuid = await api.node();
    const send = (query: string, version: string, path: string) =>
      faultOf(
        api.call('PATCH', `/v1/nodes/${uuid}?${query}`, version, [{ op: 'replace', path, value: 'fake-hardware' }]),
      );
    expect(await send('reset_interfaces=True', '1.44', '/driver')).toMatch(/^406/);
    expect(await send('reset_interfaces=True', '1.45', '/description')).toMatch(/^40[06]/);
    expect(await send('reset_interfaces=maybe', '1.45', '/driver')).toMatch(/^400/);
    expect(await send('reset_interfaces=True', '1.45', '/driver')).toMatch(/^200/);
  });
});

describe('provisioning', () => {
  it('answers 202 with the ident of the request', async () => {
    const uuid = await api.node({ name: 'v' });
    const { status, text, headers } = await provision('v', { target: 'manage' });
    expect([status, text, headers.get('content-type')]).toEqual([202, '', null]);
    expect(headers.get('location')).toBe(`${api.api.url}/v1/nodes/v/states`);
    expect(lastCommand()).toEqual({ type: 'Provision', uuid, target: 'manage', args: {} });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['enroll', undefined, '1.115', /^400 Missing mandatory parameter: target/],
    ['enroll', [], '1.115', /^400 Missing mandatory parameter: target/],
    ['enroll', { target: null }, '1.115', /^400 /],
    ['enroll', { target: 5 }, '1.115', /^400 /],
    ['enroll', { target: 'manage', bogus: 1 }, '1.115', /^400 Unexpected arguments: bogus/],
    ['enroll', { target: 'manage' }, '1.3', /^406 /],
    ['enroll', { target: 'inspect' }, '1.5', /^406 /],
    ['enroll', { target: 'inspect' }, '1.6', /^400 .*while it is in state/],
    ['enroll', { target: 'inspect wait' }, '1.115', /^400 /],
    ['enroll', { target: 'service' }, '1.1', /^400 /],
    ['active', { target: 'service' }, '1.82', /^406 /],
    ['manageable', { target: 'abort' }, '1.12', /^406 /],
    ['manageable', { target: 'abort' }, '1.13', /^400 /],
    ['manageable', { target: 'clean' }, '1.115', /^400 .*clean_steps/],
    ['manageable', { target: 'clean', clean_steps: [{ step: 'x' }] }, '1.115', /^400 Schema error/],
    ['manageable', { target: 'inspect', configdrive: 'x' }, '1.115', /^400 .*configdrive/],
    ['manageable', { target: 'inspect', rescue_password: 'x' }, '1.115', /^400 .*rescue_password/],
    ['manageable', { target: 'inspect', disable_ramdisk: true }, '1.115', /^400 .*disable_ramdisk/],
    ['manageable', { target: 'inspect', runbook: 'r' }, '1.91', /^406 /],
    ['manageable', { target: 'inspect', runbook: 'r' }, '1.115', /^404 /],
    ['inspect wait', { target: 'abort' }, '1.1', /^406 /],
    ['inspect wait', { target: 'abort' }, '1.40', /^406 /],
    ['inspect wait', { target: 'abort', bogus: 1 }, '1.115', /^400 Unexpected arguments: bogus/],
    ['inspect wait', { target: 'abort', configdrive: 'x' }, '1.115', /^400 .*configdrive/],
    ['inspect wait', { target: 'inspect' }, '1.115', /^400 /],
  ])('in %s refuses %j at %s [1.18, 2.1, 2.14, 2.15]', async (state, body, version, text) => {
    const uuid = await api.node({}, { provision_state: state });
    const before = api.script.received.length;
    expect(await faultOf(provision(uuid, body, version))).toMatch(text);
    expect(api.script.received).toHaveLength(before);
  });

  it('answers 409 instead of 400 while the node is reserved', async () => {
    const uuid = await api.node({}, { provision_state: 'inspecting', reservation: 'rack-1' });
    expect(await faultOf(provision(uuid, { target: 'inspect' }))).toMatch(/^409 .*locked by host rack-1/);
  });

  it('takes the target from the query as well', async () => {
    await api.node({ name: 'q' });
    expect((await api.call('PUT', '/v1/nodes/q/states/provision?target=manage', '1.115')).status).toBe(202);
  });
});

describe('maintenance, power, boot device, removal', () => {
  it('sets and clears maintenance', async () => {
    const uuid = await api.node();
    const set = await api.call('PUT', `/v1/nodes/${uuid}/maintenance`, '1.82', { reason: 'because' });
    expect([set.status, set.text, set.headers.get('location')]).toEqual([202, '', null]);
    expect((await api.get(`/v1/nodes/${uuid}`, '1.1')).body).toMatchObject({
      maintenance: true,
      maintenance_reason: 'because',
    });
    expect((await api.call('PUT', `/v1/nodes/${uuid}/maintenance`, '1.82', { reason: 5 })).status).toBe(400);
    expect((await api.call('DELETE', `/v1/nodes/${uuid}/maintenance`, '1.82')).status).toBe(202);
  });

  it.each<[unknown, string, number]>([
    [{ target: 'power on' }, '1.1', 202],
    [{ target: 'soft power off' }, '1.26', 406],
    [{ target: 'power on', timeout: 30 }, '1.26', 406],
    [{ target: 'power on', timeout: -1 }, '1.82', 400],
    [{ target: 'bogus' }, '1.82', 400],
    [{}, '1.82', 400],
  ])('power %j at %s is %d', async (body, version, status) => {
    const uuid = await api.node();
    expect((await api.call('PUT', `/v1/nodes/${uuid}/states/power`, version, body)).status).toBe(status);
  });

  it('asks the conductor for the boot device and for validation', async () => {
    const uuid = await api.node();
    api.script.answer = ({ type }) => ({
      ok: true,
      result:
        type === 'ValidateNode'
          ? { power: { result: true }, firmware: { result: true } }
          : { boot_device: 'pxe', persistent: false },
    });
    expect((await api.get(`/v1/nodes/${uuid}/management/boot_device`, '1.82')).body).toEqual({
      boot_device: 'pxe',
      persistent: false,
    });
    expect((await api.get(`/v1/nodes/${uuid}/validate`, '1.82')).body).toEqual({ power: { result: true } });
    expect((await api.get(`/v1/nodes/validate?node=${uuid}`, '1.86')).body).toHaveProperty('firmware');
    const set = await api.call('PUT', `/v1/nodes/${uuid}/management/boot_device`, '1.82', {
      boot_device: 'pxe',
      persistent: 'true',
    });
    expect([set.status, lastCommand()]).toEqual([
      204,
      { type: 'SetBootDevice', uuid, device: 'pxe', persistent: true },
    ]);
  });

  it('removes, and says whether nothing happened when nobody answers', async () => {
    const uuid = await api.node();
    api.hub.interrupt();
    expect(await faultOf(api.call('DELETE', `/v1/nodes/${uuid}`, '1.82'))).toMatch(/^503 .*Nothing happened/);
    api.hub.restore();
    const gone = await api.call('DELETE', `/v1/nodes/${uuid}`, '1.82');
    expect([gone.status, gone.text, gone.headers.get('content-length')]).toEqual([204, '', null]);
    expect((await api.get(`/v1/nodes/${uuid}`, '1.82')).status).toBe(404);
  });

  it('turns a surprise into 500 with an id, and the stack only into the log', async () => {
    const uuid = await api.node();
    await api.script.change([{ change: 'put', kind: 'node', id: uuid, version: 1, json: '{broken', columns: {} }]);
    const { status, fault, text, headers } = await api.get(`/v1/nodes/${uuid}`, '1.82');
    expect([status, fault.faultcode, text.includes('server.ts')]).toEqual([500, 'Server', false]);
    const logged = api.logged.find(
      (one) => one.fields['requestId'] === headers.get('openstack-request-id') && 'stack' in one.fields,
    );
    expect(String(logged?.fields['stack'])).toContain('stored-text.ts');
  });
});
