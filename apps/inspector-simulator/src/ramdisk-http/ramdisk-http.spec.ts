import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RamdiskHttp } from '.';

/** Answers by path; what came is noted. */
const answers = new Map<string, [status: number, body: unknown]>();
const seen: { line: string; version: string | undefined; body: string }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url = '', headers } = request;
    const version = headers['x-openstack-ironic-api-version'] as string | undefined;
    seen.push({ line: `${method} ${url}`, version, body: Buffer.concat(chunks).toString() });
    const [status, body] = answers.get(url) ?? answers.get(url.split('?')[0] ?? '') ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
let host: RamdiskHttp;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = new RamdiskHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, null);
});
beforeEach(() => {
  answers.clear();
  seen.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('what an agent asks of the Bare Metal API', () => {
  const found = { node: { uuid: 'u1' }, config: { heartbeat_timeout: 120, agent_token: 't'.repeat(40) } };

  it.each([
    ['1.82', '1.62', '1.68'],
    ['1.65', '1.62', '1.65'],
    ['1.40', '1.40', '1.40'],
    [undefined, '1.31', '1.31'],
  ])('of version %s is asked with %s, and with %s', async (own, lookup, heartbeat) => {
    if (own !== undefined) answers.set('/', [200, { default_version: { id: 'v1', version: own } }]);
    answers.set('/v1/lookup', [200, found]);
    answers.set('/v1/heartbeat/u1', [202, {}]);
    const told = { status: 200, uuid: 'u1', token: 't'.repeat(40), heartbeatTimeoutMs: 120_000 };
    expect(await host.lookUp(['52:54:00:00:00:01', '52:54:00:00:00:02'], null)).toEqual(told);
    expect(await host.heartbeat('u1', 'token', null)).toBe(202);
    expect(seen.map(({ line, version }) => [line, version])).toEqual([
      ['GET /', undefined],
      ['GET /v1/lookup?addresses=52:54:00:00:00:01,52:54:00:00:00:02', lookup],
      ['POST /v1/heartbeat/u1', heartbeat],
    ]);
    expect(JSON.parse(seen[2]?.body ?? '')).toMatchObject({ agent_token: 'token', callback_url: expect.any(String) });
  });

  it('may be answered too little', async () => {
    answers.set('/v1/lookup', [200, { node: {}, config: { agent_token: null } }]);
    const nothing = { status: 200, uuid: null, token: null, heartbeatTimeoutMs: null };
    expect(await host.lookUp(['52:54:00:00:00:01'], null)).toEqual(nothing);
  });
});

describe('which machines have booted', () => {
  const node = (uuid: string, inspectInterface = 'agent') => ({ uuid, inspect_interface: inspectInterface, extra: {} });

  it('is read page by page', async () => {
    const query = '/v1/nodes/detail?provision_state=inspect%20wait&limit=1000';
    answers.set(query, [200, { nodes: [node('a'), node('b', 'inspector')], next: 'http://elsewhere/' }]);
    answers.set(`${query}&marker=b`, [200, { nodes: [node('c')] }]);
    expect((await host.waiting()).map(({ uuid }) => uuid)).toEqual(['a', 'c']);
  });

  it.each<[number, unknown, boolean]>([
    [200, { power_state: 'power on' }, true],
    [200, { power_state: null }, true],
    [200, { power_state: 'power off' }, false],
    [404, {}, false],
    [503, {}, true],
  ])('%i %j: it runs: %s', async (status, body, isRunning) => {
    answers.set('/v1/nodes/u1', [status, body]);
    expect(await host.isRunning('u1')).toBe(isRunning);
  });
});
