import { request } from 'node:http';
import { join } from 'node:path';
import { MemoryBusHub } from '@lib/adapters/message-bus-memory';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import { decode, encode, type InspectorReply, type InspectorWord, subjects } from '@lib/contracts';
import type { MessageBus } from '@lib/ports';
import { ManualClock } from '@lib/testing';
import { runScenario } from '../../../test/conformance/run-scenario';
import { loadScenario, SCENARIOS } from '../../../test/conformance/scenario';
import { FakeBareMetalHttp } from '../../../test/inspector/fake-bare-metal-http';
import { dataOf, quiet } from '../../../test/inspector/world';
import { allowedMethods } from './http/routes';
import { type InspectorSimulator, startInspectorSimulator } from './index';

const NODE = '11111111-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';

interface Answer {
  status: number;
  headers: Headers;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- answers are looked at as a client would
}

let api: FakeBareMetalHttp;
let clock: ManualClock;
let bus: MessageBus;
let simulator: InspectorSimulator;
let asker: MessageBus;

beforeEach(async () => {
  api = await new FakeBareMetalHttp().open();
  api.addNode(NODE, 'n.1', MAC);
  clock = new ManualClock('2026-11-30T10:00:00Z');
  const hub = new MemoryBusHub(systemClock);
  [bus, asker] = [hub.open(), hub.open()];
  simulator = await startInspectorSimulator({
    settings: { host: '127.0.0.1', port: 0, apiUrl: `${api.url}/v1/`, prefix: 'test' },
    bus,
    clock,
    chance: systemChance,
    logger: quiet,
  });
});

afterEach(async () => {
  await simulator.stop();
  await Promise.all([bus.close(), asker.close()]);
  await api.close();
});

const call = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const raw = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${simulator.url}${path}`, {
    method,
    headers,
    ...(raw === undefined ? {} : { body: raw }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
};

const ask = async (word: InspectorWord, body: unknown, timeoutMs = 5000): Promise<InspectorReply> =>
  decode(await asker.request(subjects.inspector('test', word), encode(body), { timeoutMs }));

type Loose = Answer['body'];

/** Work behind a 202 goes over real HTTP: look until it is there. */
const until = async (path: string, fits: (body: Loose) => boolean): Promise<Loose> => {
  for (let tries = 0; tries < 500; tries += 1) {
    const { body } = await call('GET', path);
    if (fits(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${path} never became as expected`);
};

const status = `/v1/introspection/${NODE}`;
const state = (wanted: string) => until(status, (body) => body.state === wanted);

describe('the inspector over REST', () => {
  it('drives a machine through the Bare Metal API: start, data, end', async () => {
    expect(await call('POST', '/v1/introspection/n.1')).toMatchObject({ status: 202, body: {} });
    const waiting = await state('waiting');
    expect(waiting).toEqual({
      uuid: NODE,
      finished: false,
      state: 'waiting',
      started_at: '2026-11-30T10:00:00',
      finished_at: null,
      error: null,
      links: [{ rel: 'self', href: `${simulator.url}${status}` }],
    });
    expect(api.nodes.get(NODE)).toMatchObject({
      power_state: 'power on',
      boot_device: { boot_device: 'pxe', persistent: false },
    });
    expect(await call('POST', '/v1/continue', dataOf(MAC))).toMatchObject({ status: 200, body: { uuid: NODE } });
    await state('finished');
    expect(api.nodes.get(NODE)).toMatchObject({
      power_state: 'power off',
      properties: {
        local_gb: '99',
        cpus: '4',
        cpu_arch: 'x86_64',
        memory_mb: '8192',
        capabilities: 'cpu_vt:true,cpu_aes:true',
      },
    });
    expect(api.versions).toEqual(new Set(['1.82']));
    expect((await call('GET', `${status}/data`)).body).toMatchObject({ cpus: 4, macs: [MAC] });
    expect((await call('GET', `${status}/data/unprocessed`)).body).not.toHaveProperty('macs');
    expect((await call('GET', '/v1/introspection?limit=1')).body.introspection).toHaveLength(1);
    expect((await call('POST', '/v1/continue', dataOf(MAC))).status).toBe(400);
  });

  it('creates ports that are missing, also when another node has the address', async () => {
    const OTHER = '22222222-2222-4333-8444-555555555555';
    api.addNode(OTHER, 'other', '52:54:00:00:00:02', { driver_info: { ipmi_address: '192.0.2.5' } });
    api.ports.set('taken', { uuid: 'taken', node_uuid: NODE, address: '52:54:00:00:00:03' });
    await call('POST', `/v1/introspection/${OTHER}?manage_boot=False`);
    const interfaces = ['52:54:00:00:00:03', '52:54:00:00:00:04'].map((mac, i) => ({
      name: `eth${i}`,
      mac_address: mac,
      ipv4_address: '192.0.2.9',
    }));
    const inventory = { ...(dataOf(MAC)['inventory'] as object), interfaces, boot: {}, bmc_address: '192.0.2.5' };
    expect(await call('POST', '/v1/continue', { inventory })).toMatchObject({ status: 200, body: { uuid: OTHER } });
    expect(api.portsOf(OTHER).map((port) => [port['address'], port['pxe_enabled']])).toEqual([
      ['52:54:00:00:00:02', false],
      ['52:54:00:00:00:04', false],
    ]);
  });

  it('aborts, and notes that it was asked once', async () => {
    expect((await call('POST', `${status}/abort`)).status).toBe(404);
    await call('POST', status);
    await state('waiting');
    expect(await call('POST', `${status}/abort`)).toMatchObject({ status: 202, body: {} });
    expect(await state('error')).toMatchObject({ finished: true, error: 'Canceled by operator' });
    expect(api.nodes.get(NODE)).toMatchObject({ power_state: 'power off' });
    const { body } = await call('GET', `/ferrolog/v1/simulator/log?node=${NODE}`);
    const aborts = body.entries.filter((entry: { ask: string }) => entry.ask === 'abort');
    expect(aborts.map((entry: { status: number }) => entry.status)).toEqual([404, 202]);
  });

  it('retries a locked node by its clock and ends in error when it stays locked', async () => {
    api.faults.push({ path: /PUT .*states\/power/, status: 409, left: 5 });
    await call('POST', status);
    await state('starting');
    for (let second = 0; second < 5; second += 1) {
      const asked = (): number => api.calls.filter((line) => line.includes('states/power')).length;
      for (let tries = 0; tries < 500 && asked() <= second; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise((resolve) => setTimeout(resolve, 20));
      await clock.advanceBy(1000);
    }
    expect(await state('error')).toMatchObject({ error: expect.stringContaining('fault 409') });
  });

  it('forgets nodes that were removed, following all pages of the list', async () => {
    for (let i = 0; i < 5; i += 1) api.addNode(`0000000${i}-2222-4333-8444-555555555555`, `x${i}`, null);
    const last = '00000009-2222-4333-8444-555555555555';
    api.addNode(last, 'last', '52:54:00:00:00:09');
    for (const node of [NODE, last]) await call('POST', `/v1/introspection/${node}?manage_boot=0`);
    api.nodes.delete(NODE);
    await clock.advanceBy(60_000);
    await until('/v1/introspection', (body) => body.introspection.length === 1);
    expect((await call('GET', `/v1/introspection/${last}`)).status).toBe(200);
  });

  it('plays the script of a node with the data of a whole machine', async () => {
    api.addNode(NODE, 'n.1', MAC, { extra: { simulator: { script: 'succeed', after: 2, inventory: 'large' } } });
    await call('POST', status);
    await state('waiting');
    await clock.advanceBy(2000);
    await state('finished');
    expect(api.nodes.get(NODE)).toMatchObject({ properties: { cpus: '384', memory_mb: '2097152', local_gb: '445' } });
    expect((await call('GET', `${status}/data`)).body.inventory.interfaces).toHaveLength(34);
  });

  it('hangs up where the script wants no answer', async () => {
    api.addNode(NODE, 'n.1', MAC, { extra: { simulator: { script: 'refuse-abort', answer: 'none' } } });
    await call('POST', status);
    await state('waiting');
    await expect(call('POST', `${status}/abort`)).rejects.toThrow();
    expect((await call('GET', status)).body.state).toBe('waiting');
  });

  it.each([
    ['a bad manage_boot', 'POST', `${status}?manage_boot=perhaps`, undefined, 400],
    ['no such node', 'POST', '/v1/introspection/nobody', undefined, 404],
    ['no body', 'POST', '/v1/continue', undefined, 400],
    ['malformed JSON', 'POST', '/v1/continue', '{', 400],
    ['a deeply nested body', 'POST', '/v1/continue', '['.repeat(100) + ']'.repeat(100), 400],
    ['a list', 'POST', '/v1/continue', [], 400],
    ['data of nobody', 'POST', '/v1/continue', dataOf('52:54:00:ff:ff:ff'), 400],
    ['a bad limit', 'GET', '/v1/introspection?limit=-1', undefined, 400],
    ['a limit given twice', 'GET', '/v1/introspection?limit=1&limit=2', undefined, 400],
    ['an unknown row', 'GET', `${status}/data`, undefined, 404],
    ['a path that cannot be decoded', 'GET', '/v1/introspection/%zz', undefined, 400],
    ['another version', 'GET', '/v2', undefined, 404],
    ['an unknown path', 'GET', '/v1/introspection/a/b/c', undefined, 404],
  ])('answers %s in the shape of the service', async (_case, method, path, body, code) => {
    const answer = await call(method, path, body);
    expect(answer.status).toBe(code);
    expect(answer.body).toEqual({ error: { message: expect.stringMatching(/./) } });
    expect(answer.headers.get('x-openstack-ironic-inspector-api-maximum-version')).toBe('1.18');
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it('names the methods of a route at a wrong one, and every named method is there', async () => {
    const bodiless = await call('GET', '/v1/continue');
    expect([bodiless.status, bodiless.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    expect((await call('OPTIONS', '/v1/rules')).status).toBe(200);
    const paths = [
      '/',
      '/v1',
      '/v1/introspection',
      status,
      `${status}/abort`,
      `${status}/data`,
      `${status}/data/unprocessed`,
    ];
    for (const path of [
      ...paths,
      '/v1/continue',
      '/v1/rules',
      `/v1/rules/${NODE}`,
      '/ferrolog/v1/ready',
      '/ferrolog/v1/simulator/log',
    ]) {
      const allowed = (allowedMethods(path) ?? '').split(', ');
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const found = await call(method, path, undefined);
        expect([path, method, found.status === 405]).toEqual([path, method, !allowed.includes(method)]);
      }
    }
  });

  it.each([
    ['X-OpenStack-Ironic-Inspector-API-Version', '1.5', 200],
    ['X-OpenStack-Ironic-Inspector-API-Version', 'latest', 201],
    ['OpenStack-API-Version', 'compute 2.1, baremetal-introspection 1.5', 200],
    ['OpenStack-API-Version', 'compute 2.1', 201],
  ])('creates a rule at %s: %s with %i', async (header, version, code) => {
    const rule = { actions: [{ action: 'fail', message: 'x' }] };
    expect((await call('POST', '/v1/rules', rule, { [header]: version })).status).toBe(code);
  });

  it('takes trailing slashes, and refuses the same rule twice', async () => {
    const rule = { uuid: NODE, actions: [{ action: 'fail', message: 'x' }] };
    expect((await call('POST', '/v1/rules/', rule)).status).toBe(201);
    expect((await call('POST', '/v1/rules', rule)).status).toBe(409);
    expect((await call('GET', `/v1/rules/${NODE}/`)).status).toBe(200);
  });

  it('keeps its log to this host and says when it is ready', async () => {
    expect(await call('GET', '/ferrolog/v1/ready')).toMatchObject({ status: 200, body: { ready: true } });
    await bus.close();
    expect((await call('GET', '/ferrolog/v1/ready')).status).toBe(503);
  });

  it('does not start on a port that is taken, and says so', async () => {
    const port = Number(new URL(simulator.url).port);
    const settings = { host: '127.0.0.1', port, apiUrl: api.url, prefix: 'test' };
    const second = startInspectorSimulator({ settings, bus: null, clock, chance: systemChance, logger: quiet });
    await expect(second).rejects.toThrow(/EADDRINUSE/);
  });

  it('refuses a body above its limit without reading it', async () => {
    const { hostname, port } = new URL(simulator.url);
    const code = await new Promise((resolve, reject) => {
      const headers = { 'content-length': String(65 * 1024 * 1024) };
      const sent = request({ hostname, port, path: '/v1/continue', method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(code).toBe(413);
  });
});

describe('the inspector over the bus', () => {
  it('answers as over REST', async () => {
    expect(await ask('status', { node: NODE })).toMatchObject({
      status: 404,
      body: { error: { message: expect.any(String) } },
    });
    expect(await ask('start', { node: NODE, manageBoot: false })).toEqual({ status: 202, body: {} });
    expect(await ask('status', { node: NODE })).toEqual({
      status: 200,
      body: {
        uuid: NODE,
        finished: false,
        state: 'waiting',
        started_at: '2026-11-30T10:00:00',
        finished_at: null,
        error: null,
      },
    });
    expect((await ask('data', { node: NODE })).status).toBe(404);
    await call('POST', '/v1/continue', dataOf(MAC));
    await state('finished');
    expect(await ask('data', { node: NODE })).toMatchObject({
      status: 200,
      body: { inventory: expect.any(Object), cpus: 4 },
    });
  });

  it('manages boot unless told otherwise, and aborts', async () => {
    expect((await ask('start', { node: NODE })).status).toBe(202);
    await state('waiting');
    expect(api.nodes.get(NODE)).toMatchObject({ power_state: 'power on' });
    expect(await ask('abort', { node: NODE })).toEqual({ status: 202, body: {} });
    await state('error');
  });

  it.each([[{}], [{ node: 4 }], [[]], ['x']])('refuses %j', async (body) => {
    expect((await ask('abort', body)).status).toBe(400);
  });

  it('gives no answer where the script wants none', async () => {
    api.addNode(NODE, 'n.1', MAC, { extra: { simulator: { script: 'refuse-abort', answer: 'none' } } });
    await ask('start', { node: NODE, manageBoot: false });
    await expect(ask('abort', { node: NODE }, 200)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('is served no longer after the stop', async () => {
    await simulator.stop();
    await expect(ask('status', { node: NODE })).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
  });
});

describe('recorded exchanges with the real service', () => {
  it.each(['inspector-discovery', 'inspector-rules'])('%s', async (name) => {
    const scenario = { ...loadScenario(join(SCENARIOS, `${name}.json`)), reset: false };
    const target = { urls: { ironic: api.url, inspector: simulator.url }, maxVersion: null, conductor: null };
    const results = await runScenario(target, scenario);
    expect(results.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(results).toHaveLength(scenario.steps.length);
  });

  it('inspector-continue-errors, as far as the inspector answers', async () => {
    api.ports.clear();
    api.addNode(NODE, 'i2', '52:54:00:12:34:f1');
    await call('POST', status);
    await state('waiting');
    const recorded = loadScenario(join(SCENARIOS, 'inspector-continue-errors.json'));
    // In the place of the set-up through a Bare Metal API that inspects: the node that waits already.
    const known = {
      id: 'setup-node',
      request: { method: 'GET', path: status, service: 'inspector' as const },
      save: { NODE: 'uuid' },
    };
    const asked = recorded.steps.filter(
      ({ id, request: { service } }) => service === 'inspector' && !id.startsWith('setup-'),
    );
    const steps = [{ ...known, compare: 'status' as const, expect: { status: 200 } }, ...asked];
    const target = { urls: { ironic: api.url, inspector: simulator.url }, maxVersion: null, conductor: null };
    const results = await runScenario(target, { ...recorded, reset: false, steps });
    expect(results.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(results.map(({ step }) => step)).toContain('after-missing-memory');
    expect(api.nodes.get(NODE)).toMatchObject({ properties: { cpus: '4', local_gb: '99' }, power_state: 'power off' });
    expect(api.nodes.get(NODE)?.['properties']).not.toHaveProperty('memory_mb');
  });
});
