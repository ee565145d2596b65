/** What nodes are asked beside power, boot device and work, over real HTTP. contract: node-api.md §12, §13, §21, §22 */
import type { Command } from '@lib/contracts';
import { ApiHarness } from './api-harness';

let api: ApiHarness;
let uuid: string;
beforeAll(async () => {
  api = await ApiHarness.start();
  uuid = await api.node({ name: 'n' });
});
afterAll(() => api.stop());
beforeEach(() => {
  api.script.answer = () => undefined;
});

const lastCommand = (): Command | undefined => api.script.received.at(-1)?.command;
const call = (method: string, path: string, body?: unknown, version = '1.115') =>
  api.call(method, `/v1/nodes/${path}`, version, body);

describe('acts', () => {
  it.each<[string, string, unknown, number, object]>([
    ['PUT', 'n/states/boot_mode', { target: 'uefi' }, 202, { act: 'set boot mode', mode: 'uefi' }],
    ['PUT', 'n/states/secure_boot', { target: 'off' }, 202, { act: 'set secure boot', enabled: false }],
    ['PUT', 'n/states/console', { enabled: true }, 202, { act: 'set console', enabled: true }],
    ['PUT', 'n/states/console?enabled=false', undefined, 202, { act: 'set console', enabled: false }],
    ['PUT', 'n/management/inject_nmi', {}, 204, { act: 'inject nmi' }],
    ['PUT', 'n/management/inject_nmi', undefined, 204, { act: 'inject nmi' }],
    [
      'PUT',
      'n/management/indicators/led@chassis',
      { state: 'ON' },
      204,
      { act: 'set indicator', indicator: 'led', component: 'chassis', state: 'on' },
    ],
    [
      'POST',
      'n/vmedia',
      { device_type: 'cdrom', image_url: 'HTTPS://a/b.iso', image_download_source: null },
      204,
      { act: 'attach media', deviceType: 'cdrom', imageUrl: 'HTTPS://a/b.iso', downloadSource: 'local' },
    ],
    ['DELETE', 'n/vmedia', undefined, 204, { act: 'detach media', deviceTypes: [] }],
    [
      'DELETE',
      'n/vmedia?device_types=CDROM,disk',
      undefined,
      204,
      { act: 'detach media', deviceTypes: ['cdrom', 'disk'] },
    ],
    [
      'PATCH',
      'n/vendor_passthru/m',
      ['any'],
      202,
      { act: 'call vendor method', method: 'm', httpMethod: 'PATCH', args: ['any'] },
    ],
    [
      'POST',
      'n/vendor_passthru?method=m',
      undefined,
      202,
      { act: 'call vendor method', method: 'm', httpMethod: 'POST', args: {} },
    ],
  ])('%s %s %j', async (method, path, body, status, act) => {
    const answer = await call(method, path, body);
    expect([answer.status, answer.text]).toEqual([status, '']);
    expect(lastCommand()).toEqual({ type: 'Manage', uuid, act });
  });

  it('tell where to look for what they lead to', async () => {
    const location = async (path: string, body: unknown) => (await call('PUT', path, body)).headers.get('location');
    expect(await location('n/states/boot_mode', { target: 'bios' })).toMatch(/\/v1\/nodes\/n\/states$/);
    expect(await location(`${uuid}/states/secure_boot`, { target: true })).toMatch(`/v1/nodes/${uuid}/states`);
    expect(await location('n/states/console', { enabled: true })).toMatch(/\/v1\/nodes\/n\/states\/console$/);
  });

  it.each<[string, string, unknown, string, RegExp]>([
    ['PUT', 'n/states/boot_mode', { target: 'uefi' }, '1.75', /^404/],
    ['PUT', 'n/states/secure_boot', { target: true }, '1.75', /^404/],
    ['PUT', 'n/states/raid', {}, '1.11', /^406/],
    ['PUT', 'n/management/inject_nmi', {}, '1.28', /^404/],
    ['POST', 'n/vmedia', {}, '1.88', /^404/],
    ['DELETE', 'n/vmedia', undefined, '1.88', /^404/],
    ['GET', 'n/vmedia', undefined, '1.92', /^404/],
    ['PUT', 'n/states/boot_mode', {}, '1.115', /^400 Missing mandatory parameter: target/],
    ['PUT', 'n/states/boot_mode', { target: 'UEFI' }, '1.115', /^400 .*target.*uefi, bios/],
    ['PUT', 'n/states/boot_mode', { target: 'uefi', more: 1 }, '1.115', /^400 .*more/],
    ['PUT', 'n/states/secure_boot', { target: null }, '1.115', /^400 Missing mandatory parameter: target/],
    ['PUT', 'n/states/secure_boot', { target: 'perhaps' }, '1.115', /^400 .*target/],
    ['PUT', 'n/states/raid', undefined, '1.115', /^400 Missing mandatory parameter: target_raid_config/],
    ['PUT', 'n/states/raid', [], '1.115', /^400 .*object/],
    ['PUT', 'n/states/raid', '{"logical', '1.115', /^400 /],
    ['PUT', 'n/states/console', {}, '1.115', /^400 Missing mandatory parameter: enabled/],
    ['PUT', 'n/states/console', { enabled: 'maybe' }, '1.115', /^400 .*enabled/],
    ['PUT', 'n/management/inject_nmi', { now: true }, '1.115', /^400 Unexpected/],
    ['PUT', 'n/management/inject_nmi', [1], '1.115', /^400 Unexpected/],
    ['GET', 'n/management/indicators/led', undefined, '1.115', /^400 .*<indicator>@<component>/],
    ['GET', 'n/management/indicators/@chassis', undefined, '1.115', /^400 /],
    ['GET', 'n/management/indicators/led@', undefined, '1.115', /^400 /],
    ['GET', 'n/management/indicators/a@b@c', undefined, '1.115', /^400 /],
    ['PUT', 'n/management/indicators/led@chassis', {}, '1.115', /^400 Missing mandatory parameter: state/],
    ['PUT', 'n/management/indicators/led@chassis', { state: 1 }, '1.115', /^400 .*state/],
    ['POST', 'n/vmedia', { image_url: 'http://a/b' }, '1.115', /^400 Missing mandatory parameter: device_type/],
    ['POST', 'n/vmedia', { device_type: 'tape', image_url: 'http://a/b' }, '1.115', /^400 .*device_type.*cdrom/],
    ['POST', 'n/vmedia', { device_type: 'disk' }, '1.115', /^400 Missing mandatory parameter: image_url/],
    [
      'POST',
      'n/vmedia',
      { device_type: 'disk', image_url: 'ftp://u:hidden@a/b' },
      '1.115',
      /^400 (?!.*hidden).*image_url/,
    ],
    ['POST', 'n/vmedia', { device_type: 'disk', image_url: 'http://' }, '1.115', /^400 .*image_url/],
    [
      'POST',
      'n/vmedia',
      { device_type: 'disk', image_url: 'nfs://a/b', image_download_source: 'tape' },
      '1.115',
      /^400 .*image_download_source/,
    ],
    ['DELETE', 'n/vmedia?device_types=cdrom,tape', undefined, '1.115', /^400 .*tape/],
    ['DELETE', 'n/vmedia?types=cdrom', undefined, '1.115', /^400 .*types/],
    ['POST', 'n/vendor_passthru', {}, '1.115', /^400 Missing mandatory parameter: method/],
    ['POST', 'n/vendor_passthru?method=', {}, '1.115', /^400 Missing mandatory parameter: method/],
    ['POST', 'n/vendor_passthru/m?x=1', {}, '1.115', /^400 .*x/],
    ['POST', 'n/vendor_passthru/m', '{"half', '1.115', /^400 /],
    ['PUT', 'missing/states/console', { enabled: true }, '1.115', /^404 Node missing could not be found/],
    ['GET', 'n/management', undefined, '1.115', /^405/],
    ['DELETE', 'n/management/inject_nmi', undefined, '1.115', /^405/],
  ])('%s %s %j at %s is refused and sends nothing', async (method, path, body, version, text) => {
    const before = api.script.received.length;
    const { status, fault } = await call(method, path, body, version);
    expect(`${status} ${fault?.faultstring ?? ''}`).toMatch(text);
    expect(api.script.received).toHaveLength(before);
  });
});

describe('the wanted RAID configuration', () => {
  it('is the whole body', async () => {
    const config = { logical_disks: [{ raid_level: '1', size_gb: 'MAX' }] };
    expect((await call('PUT', 'n/states/raid', config, '1.12')).status).toBe(204);
    expect(lastCommand()).toEqual({ type: 'SetTargetRaid', uuid, config });
  });

  it('of a node without RAID is not there', async () => {
    api.script.answer = () => ({ ok: false, code: 'RESOURCE_NOT_FOUND', message: 'Driver x does not support raid.' });
    expect(await call('PUT', 'n/states/raid', {})).toMatchObject({ status: 404 });
  });
});

describe('questions', () => {
  const tell = (answer: unknown) => (api.script.answer = () => ({ ok: true, result: { answer } }));

  it('about indicators get their links', async () => {
    tell([{ name: 'led@chassis', component: 'chassis', readonly: false, states: ['on'] }]);
    const { body } = await call('GET', 'n/management/indicators', undefined, '1.63');
    expect(body.indicators).toMatchObject([{ name: 'led@chassis', states: ['on'] }]);
    expect(body.indicators[0].links[0].href).toMatch(`/v1/nodes/${uuid}/management/indicators/led@chassis`);
    tell('blinking');
    expect((await call('GET', 'n/management/indicators/led@chassis')).body).toEqual({ state: 'blinking' });
    expect(lastCommand()).toMatchObject({ question: { ask: 'indicator', indicator: 'led', component: 'chassis' } });
  });

  it('about the console are asked only of one that is on', async () => {
    const sent = api.script.received.length;
    expect((await call('GET', 'n/states/console')).body).toEqual({ console_enabled: false, console_info: null });
    expect(api.script.received).toHaveLength(sent);
    await api.script.set(uuid, { console_enabled: true });
    tell({ type: 'none' });
    const shown = { console_enabled: true, console_info: { type: 'none' } };
    expect((await call('GET', `${uuid}/states/console`, undefined, '1.1')).body).toEqual(shown);
  });

  it('about media get the answer of the machine', async () => {
    tell([{ media_types: ['CD'], inserted: true, image: 'http://a/b' }]);
    expect((await call('GET', 'n/vmedia', undefined, '1.93')).body).toEqual([
      { media_types: ['CD'], inserted: true, image: 'http://a/b' },
    ]);
  });

  it('that the machine does not know are 400', async () => {
    api.script.answer = () => ({
      ok: false,
      code: 'UNSUPPORTED_EXTENSION',
      message: 'Driver noop does not support it.',
    });
    for (const path of ['management/indicators', 'vmedia', 'management/indicators/a@b'])
      expect(await call('GET', `n/${path}`)).toMatchObject({ status: 400 });
  });
});

describe('vendor methods', () => {
  it('are shown as the contract writes them', async () => {
    const methods = { m: { httpMethods: ['POST'], async: true, exclusive: false, description: 'D.' } };
    api.script.answer = () => ({ ok: true, result: { answer: methods } });
    expect((await call('GET', `${uuid}/vendor_passthru/methods`, undefined, '1.1')).body).toEqual({
      m: { http_methods: ['POST'], async: true, description: 'D.', attach: false, require_exclusive_lock: false },
    });
  });

  it.each([[true], [null], [{ a: 1 }]])('that answer at once answer %j', async (answer) => {
    api.script.answer = () => ({ ok: true, result: { answer } });
    expect(await call('POST', 'n/vendor_passthru/m', {})).toMatchObject({ status: 200, body: answer });
  });

  it('of a machine that fails are 500', async () => {
    api.script.answer = () => ({ ok: false, code: 'PEER_FAILED', message: 'no' });
    expect(await call('POST', 'n/vendor_passthru/m', {})).toMatchObject({ status: 500 });
  });

  it('of drivers are none', async () => {
    const drivers = (method: string, path: string, body?: unknown) =>
      api.call(method, `/v1/drivers/${path}`, '1.115', body);
    expect((await drivers('GET', 'fake-hardware/vendor_passthru/methods')).body).toEqual({});
    expect(await drivers('POST', 'fake-hardware/vendor_passthru/m', {})).toMatchObject({ status: 400 });
    expect(await drivers('GET', 'fake-hardware/vendor_passthru?method=m')).toMatchObject({ status: 400 });
    expect(await drivers('POST', 'fake-hardware/vendor_passthru', {})).toMatchObject({ status: 400 });
    expect(await drivers('POST', 'nobody/vendor_passthru/m', {})).toMatchObject({ status: 404 });
    expect(await drivers('GET', 'nobody/vendor_passthru/methods')).toMatchObject({ status: 404 });
  });
});
