import type { IncomingHttpHeaders } from 'node:http';
import { readSettings } from '@lib/contracts/settings';
import { clientAddress, publicUrl } from './public-url';

const settingsOf = (section: string, name: string, text: string) =>
  readSettings([{ section, name, text, source: 'spec' }], { hostname: 'h' }).settings;
const trusting = settingsOf('oslo_middleware', 'enable_proxy_headers_parsing', 'true');
const plain = settingsOf('oslo_middleware', 'enable_proxy_headers_parsing', 'false');
const direct = { host: 'api:6385' };
const proxied = {
  ...direct,
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'front.example',
  'x-forwarded-prefix': '/bm',
  'x-forwarded-port': '8443',
  'x-forwarded-for': '192.0.2.7, 10.0.0.1',
  forwarded: 'for=192.0.2.9;proto=http;host=other',
};

it.each<readonly [IncomingHttpHeaders, string]>([
  [{ 'x-forwarded-proto': 'https' }, 'https://api:6385'],
  [{ 'x-forwarded-proto': 'HTTPS, http' }, 'https://api:6385'],
  [{ 'x-forwarded-proto': 'javascript' }, 'http://api:6385'],
  [{ 'x-forwarded-host': 'front.example' }, 'http://front.example'],
  [{ 'x-forwarded-host': 'front.example:8080, inner' }, 'http://front.example:8080'],
  [{ 'x-forwarded-host': '[2001:db8::1]:8080' }, 'http://[2001:db8::1]:8080'],
  [{ 'x-forwarded-host': 'evil/"><script>' }, 'http://api:6385'],
  [{ 'x-forwarded-host': 'user@evil' }, 'http://api:6385'],
  [{ 'x-forwarded-host': '' }, 'http://api:6385'],
  [{ 'x-forwarded-host': 'front', 'x-forwarded-port': '8443', 'x-forwarded-proto': 'https' }, 'https://front:8443'],
  [{ 'x-forwarded-host': 'front', 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' }, 'https://front'],
  [{ 'x-forwarded-host': 'front', 'x-forwarded-port': '443' }, 'http://front:443'],
  [{ 'x-forwarded-host': 'front:1', 'x-forwarded-port': '8443' }, 'http://front:1'],
  [{ 'x-forwarded-host': 'front', 'x-forwarded-port': 'x' }, 'http://front'],
  [{ 'x-forwarded-prefix': '/a/b/' }, 'http://api:6385/a/b'],
  [{ 'x-forwarded-prefix': 'a' }, 'http://api:6385/a'],
  [{ 'x-forwarded-prefix': '/' }, 'http://api:6385'],
  [{ 'x-forwarded-prefix': '/a?b' }, 'http://api:6385'],
  [{ 'x-forwarded-prefix': '//evil.example' }, 'http://api:6385'],
  [{ forwarded: 'proto=https;host=front.example' }, 'https://front.example'],
  [{ forwarded: 'Proto=https ; Host="front.example:8443", proto=http;host=inner' }, 'https://front.example:8443'],
  [{ forwarded: 'for="[2001:db8::1]:4711";host="a,b"' }, 'http://api:6385'],
  [{ forwarded: 'for=_hidden, proto=https' }, 'http://api:6385'],
  [{ forwarded: ';;host=front' }, 'http://front'],
  [{ forwarded: 'host' }, 'http://api:6385'],
  [{ forwarded: 'proto=https', 'x-forwarded-host': 'x.example', 'x-forwarded-proto': 'http' }, 'https://x.example'],
])('a trusted proxy that says %j leads to %s', (headers, url) => {
  expect(publicUrl({ ...direct, ...headers }, trusting)).toBe(url);
});

it('nobody is believed who is not trusted', () => {
  expect(publicUrl(proxied, plain)).toBe('http://api:6385');
  expect(clientAddress(proxied, plain)).toBeUndefined();
});

it('the configured endpoint goes before all', () => {
  const configured = settingsOf('api', 'public_endpoint', 'https://bm.example/x/');
  expect(publicUrl(proxied, configured)).toBe('https://bm.example/x');
});

it.each([
  [{ 'x-forwarded-for': '192.0.2.7, 10.0.0.1' }, '192.0.2.7'],
  [{ forwarded: 'for="[2001:db8::1]:4711"' }, '2001:db8::1'],
  [{ forwarded: 'for=192.0.2.9:80', 'x-forwarded-for': '192.0.2.7' }, '192.0.2.9'],
  [{ 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1'],
  [{ forwarded: 'for=unknown' }, 'unknown'],
  [{ forwarded: 'for="a b"' }, undefined],
  [{}, undefined],
])('the client of %j is %s', (headers, client) => {
  expect(clientAddress(headers, trusting)).toBe(client);
});
