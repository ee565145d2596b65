import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { overHttp, type HttpPeer } from '@lib/adapters/inspect-inspector';
import { systemChance, systemClock } from '@lib/adapters/system-clock';
import type { InspectorWord } from '@lib/contracts';
import { vouchedCertificate } from '@lib/testing/certificate-authority';
import { FakeBareMetalHttp } from '../../../test/inspector/fake-bare-metal-http';
import { dataOf, quiet } from '../../../test/inspector/world';
import { type InspectorSimulator, startInspectorSimulator } from './index';

const NODE = '11111111-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';
const known = { kind: 'http_basic', username: 'ferrolog', password: 'p:wört' } as const;

describe('an inspector that wants to know who asks, behind TLS', () => {
  const { ca, cert, key } = vouchedCertificate();
  const sockets = new Set<Socket>();
  let api: FakeBareMetalHttp;
  let simulator: InspectorSimulator;
  const door = createServer({ cert, key }, (socket) => {
    const onward = connect(Number(new URL(simulator.url).port), '127.0.0.1');
    for (const one of [socket, onward]) sockets.add(one.on('error', () => undefined));
    socket.pipe(onward).pipe(socket);
  });

  beforeAll(async () => {
    api = await new FakeBareMetalHttp().open();
    api.addNode(NODE, 'n.1', MAC);
    const settings = { host: '127.0.0.1', port: 0, apiUrl: api.url, prefix: 'who-asks', credentials: known };
    const deps = { settings, bus: null, clock: systemClock, chance: systemChance, logger: quiet };
    simulator = await startInspectorSimulator(deps);
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => door.close(resolve));
    await simulator.stop();
    await api.close();
  });

  const ask = (word: InspectorWord, rest: Partial<HttpPeer> = {}) => {
    const endpoint = `https://localhost:${(door.address() as AddressInfo).port}`;
    const peer: HttpPeer = { endpoint, credentials: known, ca, verifyCertificate: true, ...rest };
    return overHttp(peer, 10_000, systemClock).ask(word, { node: NODE }, new AbortController().signal);
  };

  it('serves whom it knows', async () => {
    expect(await ask('start')).toEqual({ status: 202, body: {} });
    expect(await ask('status')).toMatchObject({ status: 200, body: { uuid: NODE } });
  });

  it.each<[string, HttpPeer['credentials']]>([
    ['nobody', { kind: 'none' }],
    ['another password', { ...known, password: 'p' }],
    ['another name', { ...known, username: 'Ferrolog' }],
    ['a token', { kind: 'token', token: 'ferrolog:p' }],
  ])('refuses %s', async (_who, credentials) => {
    const wanted = { status: 401, body: { error: { message: 'Incorrect username or password' } } };
    expect(await ask('status', { credentials })).toEqual(wanted);
  });

  it('is not spoken to when nobody vouches for it, unless that is no matter', async () => {
    await expect(ask('status', { ca: null })).rejects.toThrow(/^no inspector can be reached at https:.*certificate/);
    expect(await ask('status', { ca: null, verifyCertificate: false })).toMatchObject({ status: 200 });
    const stranger = vouchedCertificate().ca;
    await expect(ask('status', { ca: stranger })).rejects.toThrow(/^no inspector can be reached at https:/);
  });

  it('is open to ramdisks, and to who asks what there is', async () => {
    const open = async (path: string, init: RequestInit = {}) => (await fetch(`${simulator.url}${path}`, init)).status;
    expect(await open('/')).toBe(200);
    expect(await open('/v1')).toBe(200);
    expect(await open('/v1/')).toBe(200);
    const data = { method: 'POST', body: JSON.stringify(dataOf('52:54:00:00:00:01')) };
    expect(await open('/v1/continue', data)).toBe(400);
    for (const path of ['/v1/rules', '/v1/introspection', '/v1/continued', '/nowhere'])
      expect([path, await open(path)]).toEqual([path, 401]);
    const refused = await fetch(`${simulator.url}/v1/rules`);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    expect(refused.headers.get('x-openstack-ironic-inspector-api-maximum-version')).toBe('1.18');
  });
});
