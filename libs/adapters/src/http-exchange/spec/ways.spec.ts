import { systemClock } from '@lib/adapters/system-clock';
import { vouchedCertificate } from '@lib/testing/certificate-authority';
import { exchangeOnce, NoAnswer, reasonIn } from '..';
import type { HttpAnswer, Tls } from '..';
import { serve } from './served';
import type { Served } from './served';

const { ca, cert, key } = vouchedCertificate();
const running: Served[] = [];

async function started(...options: Parameters<typeof serve>): Promise<Served> {
  const one = await serve(...options);
  running.push(one);
  return one;
}

afterEach(async () => void (await Promise.all(running.splice(0).map((one) => one.close()))));

const get = (origin: string, tls: Tls = { ca }, proxy: string | null = null): Promise<HttpAnswer> =>
  exchangeOnce(
    { origin, tls, proxy, connectTimeoutMs: 20_000, bytesMax: 1000 },
    { method: 'GET', path: '/a', headers: {} },
    { patience: { wholeMs: 20_000 }, clock: systemClock, signal: new AbortController().signal },
  );

const why = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'an answer',
    (error: NoAnswer) => `${error.kind}, ${error.reach}, ${JSON.stringify(reasonIn(error.cause))}`,
  );

describe('TLS', () => {
  it.each<[string, Tls]>([
    ['an authority of its own', { ca }],
    ['nobody at all', { rejectUnauthorized: false }],
    ['several', { ca: [vouchedCertificate().ca, ca], minVersion: 'TLSv1.3' }],
  ])('trusts %s', async (_whom, tls) => {
    const { host } = await started(undefined, { key, cert });
    expect(await get(`https://${host}`, tls)).toMatchObject({ status: 200 });
  });

  it('trusts nobody else', async () => {
    const { host, seen } = await started(undefined, { key, cert });
    expect(await why(get(`https://${host}`, {}))).toMatch(/^broken, nowhere, .*UNABLE_TO_VERIFY/);
    expect(await why(get(`https://${host}`, { ca: vouchedCertificate().ca }))).toMatch(/^broken, nowhere, /);
    expect(seen).toEqual([]);
  });

  it('does not trust a certificate that is for somebody else', async () => {
    const { host } = await started(undefined, { key, cert });
    const [, port] = host.split(':');
    expect(await get(`https://localhost:${port}`)).toMatchObject({ status: 200 });
    expect(await why(get(`https://127.0.0.2:${port}`))).toMatch(/^broken, nowhere, /);
  });

  it('speaks no older version than it may, and no other cipher', async () => {
    const { host } = await started(undefined, {
      key,
      cert,
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256',
    });
    const at = `https://${host}`;
    expect(await why(get(at, { ca, minVersion: 'TLSv1.3' }))).toMatch(/^broken, nowhere, /);
    expect(await why(get(at, { ca, ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' }))).toMatch(/^broken, nowhere, /);
    expect(await get(at, { ca, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })).toMatchObject({ status: 200 });
  });
});

describe('a proxy', () => {
  const secure = { key, cert };

  it.each([
    ['http', 'http', null, null],
    ['http', 'https', null, secure],
    ['https', 'http', secure, null],
    ['https', 'https', secure, secure],
  ] as const)('leads by %s to %s', async (through, to, proxyTls, peerTls) => {
    const peer = await started(undefined, peerTls);
    const proxy = await started((_request, response) => void response.writeHead(203).end(), proxyTls);
    const { status } = await get(`${to}://${peer.host}`, { ca }, `${through}://me:too@${proxy.host}`);
    if (to === 'https') {
      expect([status, proxy.tunnels, peer.seen.length]).toEqual([200, [peer.host], 1]);
      return;
    }
    expect([status, peer.seen.length]).toEqual([203, 0]);
    const login = `Basic ${Buffer.from('me:too').toString('base64')}`;
    const headers = { host: peer.host, 'proxy-authorization': login };
    expect(proxy.seen).toMatchObject([{ line: `GET http://${peer.host}/a`, headers }]);
  });

  it('of another name is vouched for by its own', async () => {
    const proxy = await started(undefined, secure);
    expect(await get('http://cmdb.example', { ca }, `https://${proxy.host}`)).toMatchObject({ status: 200 });
    const [, port] = proxy.host.split(':');
    expect(await why(get('http://localhost:1', { ca }, `https://127.0.0.2:${port}`))).toMatch(/^broken, nowhere, /);
  });

  it('that hangs up is asked once', async () => {
    const proxy = await started(undefined, null, 'hang up');
    expect(await why(get('https://cmdb.example', { ca }, `http://${proxy.host}`))).toMatch(
      /^broken, nowhere, .*ECONNRESET/,
    );
    expect(proxy.tunnels).toEqual(['cmdb.example:443']);
  });

  it('that is not there is named as such', async () => {
    const proxy = await started();
    await proxy.close();
    expect(await why(get('https://cmdb.example', { ca }, `http://${proxy.host}`))).toMatch(
      /^broken, nowhere, .*ECONNREFUSED/,
    );
  });
});
