import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemChance } from '@lib/adapters/system-clock';
import { ManualClock } from '@lib/testing';
import { vouchedCertificate } from '@lib/testing/certificate-authority';
import { FakeBareMetalHttp } from '../../../../test/inspector/fake-bare-metal-http';
import { FakeKeystone } from '../../../../test/inspector/fake-keystone';
import { dataOf, quiet } from '../../../../test/inspector/world';
import { type InspectorSimulator, startInspectorSimulator } from '../index';
import { Keystone, KeystoneAway, TokenRefused } from '.';

const NODE = '11111111-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';
const NOON = '2026-12-01T12:00:00.000000Z';
const admin = { roles: ['admin', 'reader'], expiresAt: NOON };

describe('what an identity service says of a token', () => {
  const clock = new ManualClock('2026-12-01T11:00:00Z');
  let service: FakeKeystone;
  let keystone: Keystone;
  beforeEach(async () => {
    service = await new FakeKeystone().open();
    service.tokens.set('good', admin);
    keystone = new Keystone({ authUrl: `${service.url}/v3/`, cacheMs: 60_000, ca: null }, clock);
  });
  afterEach(() => service.close());

  it('is believed for a short time, by all who ask at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => keystone.identify('good')));
    expect(answers).toEqual([1, 2, 3].map(() => ({ roles: ['admin', 'reader'] })));
    await keystone.identify('good');
    expect(service.asked).toEqual(['good']);
    service.tokens.delete('good');
    await clock.advanceBy(59_999);
    await keystone.identify('good');
    await clock.advanceBy(1);
    await expect(keystone.identify('good')).rejects.toBeInstanceOf(TokenRefused);
  });

  it('is not believed longer than the token is good for', async () => {
    service.tokens.set('short', { roles: ['admin'], expiresAt: '2026-12-01T11:01:10Z' });
    await keystone.identify('short');
    await clock.advanceBy(10_001);
    await expect(keystone.identify('short')).rejects.toBeInstanceOf(TokenRefused);
  });

  it('a refusal is not remembered', async () => {
    await expect(keystone.identify('later')).rejects.toBeInstanceOf(TokenRefused);
    service.tokens.set('later', admin);
    expect(await keystone.identify('later')).toEqual({ roles: ['admin', 'reader'] });
  });

  it.each(['', 'two words', 'line\nbreak', 'x'.repeat(20_000)])('nobody is asked about %j', async (token) => {
    await expect(keystone.identify(token)).rejects.toBeInstanceOf(TokenRefused);
    expect(service.asked).toEqual([]);
  });

  it.each<[number, string]>([
    [500, '{}'],
    [503, 'down'],
    [200, 'no JSON'],
    [200, '{"no": "token"}'],
    [302, ''],
  ])('%i %j says nothing', async (status, text) => {
    service.answers.push([status, text]);
    await expect(keystone.identify('good')).rejects.toBeInstanceOf(KeystoneAway);
    expect(await keystone.identify('good')).toEqual({ roles: ['admin', 'reader'] });
  });

  it('over https is held against the certificates that are named', async () => {
    const { ca, cert, key } = vouchedCertificate();
    const secure = await new FakeKeystone({ cert, key }).open();
    secure.tokens.set('good', { ...admin, expiresAt: '2030-01-01T00:00:00Z' });
    const by = (authority: string | null) => new Keystone({ authUrl: secure.url, cacheMs: 0, ca: authority }, clock);
    try {
      expect(await by(ca).identify('good')).toEqual({ roles: ['admin', 'reader'] });
      await expect(by(null).identify('good')).rejects.toBeInstanceOf(KeystoneAway);
    } finally {
      await secure.close();
    }
  });
});

describe('an inspector that asks an identity service', () => {
  let folder: string;
  let service: FakeKeystone;
  let api: FakeBareMetalHttp;
  let clock: ManualClock;
  let simulator: InspectorSimulator;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keystone-'));
    service = await new FakeKeystone().open();
    service.tokens.set('operator', admin);
    service.tokens.set('observer', { roles: ['Reader'], expiresAt: NOON });
    service.tokens.set('stranger', { roles: ['swiftoperator'], expiresAt: NOON });
    api = await new FakeBareMetalHttp().open();
    api.addNode(NODE, 'n.1', MAC);
    clock = new ManualClock('2026-12-01T11:00:00Z');
    const keystone = { authUrl: service.url, cacheMs: 60_000, ca: null };
    const stateFile = join(folder, 'state.sqlite');
    const settings = { host: '127.0.0.1', port: 0, apiUrl: api.url, prefix: 'keystone', keystone, stateFile };
    simulator = await startInspectorSimulator({ settings, bus: null, clock, chance: systemChance, logger: quiet });
  });
  afterEach(async () => {
    await simulator.stop();
    await api.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string, token: string | null, body?: unknown) => {
    const headers: Record<string, string> = token === null ? {} : { 'X-Auth-Token': token };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${simulator.url}${path}`, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : (JSON.parse(text) as object) };
  };
  const until = async (fits: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 500 && !(await fits()); tries += 1) await new Promise((done) => setTimeout(done, 10));
  };
  const status = `/v1/introspection/${NODE}`;
  const rule = { actions: [{ action: 'fail', message: 'x' }], scope: 'none' };

  it('refuses who has no token that it vouches for, and says where one gets it', async () => {
    for (const token of [null, 'made-up']) {
      const answer = await ask('GET', '/v1/rules', token);
      expect([answer.status, answer.body]).toEqual([401, { error: { message: expect.stringMatching(/./) } }]);
      expect(answer.headers.get('www-authenticate')).toBe(`Keystone uri="${service.url}"`);
      expect(answer.headers.get('x-openstack-ironic-inspector-api-maximum-version')).toBe('1.18');
    }
  });

  it.each<[string, string, unknown, number, number, number]>([
    ['GET', '/v1/introspection', undefined, 200, 200, 403],
    ['GET', '/v1/rules', undefined, 200, 200, 403],
    ['POST', '/v1/rules', rule, 201, 403, 403],
    ['DELETE', '/v1/rules', undefined, 204, 403, 403],
    ['POST', status, undefined, 202, 403, 403],
    ['POST', `${status}/abort`, undefined, 404, 403, 403],
  ])('%s %s needs a role', async (method, path, body, operator, observer, stranger) => {
    const answers = [];
    for (const token of ['stranger', 'observer', 'operator'] as const)
      answers.push(await ask(method, path, token, body));
    expect(answers.map((answer) => answer.status)).toEqual([stranger, observer, operator]);
    expect(answers[0]?.body).toEqual({ error: { message: expect.stringMatching(/denied/) } });
  });

  it('says that it can not know while the identity service is away, and keeps to what it was told', async () => {
    expect((await ask('GET', '/v1/rules', 'operator')).status).toBe(200);
    await service.close();
    expect((await ask('GET', '/v1/rules', 'operator')).status).toBe(200);
    expect(await ask('GET', '/v1/rules', 'observer')).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringMatching(/identity service/) } },
    });
    service = await new FakeKeystone().open();
  });

  it('is open to ramdisks, and to who asks what there is', async () => {
    for (const path of ['/', '/v1']) expect((await ask('GET', path, null)).status).toBe(200);
    expect((await ask('POST', '/v1/continue', null, dataOf('52:54:00:00:00:01'))).status).toBe(400);
    expect(service.asked).toEqual([]);
  });

  it('asks the Bare Metal API in the name of who asked it: the start, and the ramdisk’s data of that run', async () => {
    expect((await ask('POST', status, 'operator')).status).toBe(202);
    await until(() => api.calls.includes(`PUT /v1/nodes/${NODE}/states/power`));
    await until(async () => JSON.stringify((await ask('GET', status, 'operator')).body).includes('waiting'));
    expect(api.tokens).toEqual(new Set(['operator']));
    service.tokens.set('second', admin);
    expect((await ask('GET', '/v1/introspection/n.1', 'second')).status).toBe(200);
    expect(api.tokens).toEqual(new Set(['operator', 'second']));
    api.tokens.clear();
    expect((await ask('POST', '/v1/continue', null, dataOf(MAC))).status).toBe(200);
    await until(() => api.nodes.get(NODE)?.['power_state'] === 'power off');
    await clock.advanceBy(60_000);
    await until(() => api.calls.includes('GET /v1/nodes'));
    expect(api.tokens).toEqual(new Set(['operator']));
  });

  it('asks in nobody’s name what nobody asked for', async () => {
    expect((await ask('POST', '/v1/continue', null, dataOf(MAC))).status).toBe(400);
    expect((await ask('GET', '/v1/introspection/n.1', 'observer')).status).toBe(404);
    expect(api.tokens).toEqual(new Set(['observer']));
  });
});
