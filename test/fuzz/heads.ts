/** Headers, good and bad. */
import fc from 'fast-check';
import { minors, oddTexts } from './words';

export type Header = readonly [name: string, value: string];

const VERSION = 'X-OpenStack-Ironic-API-Version';

/** Header values are bytes: what has no byte, and what would end the line, is left out. */
const headerText = oddTexts.map((text) =>
  [...text].filter((one) => one >= ' ' && one <= 'ÿ' && one !== '\x7f').join(''),
);

const single = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Header[]> =>
  values.map((value) => [[name, value]]);

const oddVersions = fc.oneof(
  fc.constantFrom(
    ...[
      '1.0',
      '1.116',
      '1.999',
      '2.1',
      '0.9',
      'latest',
      'LATEST',
      'abc',
      '1',
      '1.2.3',
      'v1.39',
      '1,39',
      '1.039',
      ' 1.9 ',
      '',
    ],
    ...['1.1, 1.20', '1.-1', '-1.1', '1.1e2', '1.99999999999999999999', '９.1', '1.115\t', 'baremetal 1.39'],
  ),
  headerText,
);

/** The version that a request is made for, or words that no version is. */
export const versionHeaders = (minor: number): fc.Arbitrary<Header[]> =>
  fc.oneof(
    { arbitrary: fc.constant<Header[]>([[VERSION, `1.${minor}`]]), weight: 20 },
    { arbitrary: fc.constant<Header[]>([['OpenStack-API-Version', `baremetal 1.${minor}`]]), weight: 2 },
    single(VERSION, oddVersions),
    single('OpenStack-API-Version', oddVersions),
    fc.tuple(minors, oddVersions).map(([one, odd]): Header[] => [
      [VERSION, odd],
      ['OpenStack-API-Version', `compute 2.1, baremetal 1.${one}`],
    ]),
    fc.constant<Header[]>([]),
  );

const contentTypes = fc.oneof(
  { arbitrary: fc.constant('application/json'), weight: 14 },
  fc.constantFrom(
    ...[
      'application/json; charset=utf-8',
      'application/json; charset=utf-16',
      'APPLICATION/JSON',
      'application/json-patch+json',
    ],
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      '',
      ';',
      'json',
    ],
  ),
  headerText,
);

export const contentType: fc.Arbitrary<Header[]> = fc.oneof(
  { arbitrary: single('Content-Type', contentTypes), weight: 12 },
  fc.constant<Header[]>([]),
);

const etags = fc.oneof(
  fc.constantFrom('*', '""', '"1"', 'W/"1"', '"a", "b"', 'abc', '"', '"\\"', ',', '"1"'.repeat(500)),
  headerText,
);
const addresses = fc.constantFrom(
  '',
  ':',
  'a b',
  'evil.example',
  'evil.example:99999',
  '[::1]:80',
  '[::',
  '127.0.0.1',
  "x'y",
  'x"y',
  '<x>',
);

/** What proxies, browsers and careful clients add, right and wrong. */
const extras: fc.Arbitrary<Header[]> = fc.oneof(
  single(
    'Accept',
    fc.oneof(fc.constantFrom('*/*', 'application/json', 'text/html', 'application/*;q=0', ''), headerText),
  ),
  single(
    'Idempotency-Key',
    fc.oneof(
      fc.nat(50).map((n) => `key-${n}`),
      fc.constantFrom('', '"quoted"', 'k'.repeat(1_000)),
      headerText,
    ),
  ),
  single('If-Match', etags),
  single('If-None-Match', etags),
  single(
    'X-OpenStack-Request-ID',
    fc.oneof(
      fc.uuid().map((id) => `req-${id}`),
      headerText,
    ),
  ),
  single('Expect', fc.constantFrom('100-continue', 'nothing', '')),
  single('X-Forwarded-Proto', fc.constantFrom('https', 'javascript', '', 'https, http')),
  single('X-Forwarded-Host', addresses),
  single('X-Forwarded-Prefix', fc.constantFrom('/baremetal', '//evil', '..', '/%zz', '')),
  single('X-Forwarded-For', addresses),
  single('Forwarded', fc.constantFrom('for=1;proto=https;host=x', 'for="[::1]"', ';;;', 'host="', 'proto=\\')),
  single('Origin', fc.constantFrom('https://x.example', 'null', '', 'https://')),
  single('Access-Control-Request-Method', fc.constantFrom('PUT', 'x', '')),
  single('X-Auth-Token', headerText),
  single('Authorization', fc.constantFrom('Basic', 'Basic !!!', 'Bearer x', 'Basic eDp5', '')),
  single('Cookie', headerText),
  single('Range', fc.constantFrom('bytes=0-1', 'bytes=9-1', 'x')),
  single('Content-Encoding', fc.constantFrom('gzip', 'identity', 'br')),
  single('Upgrade', fc.constantFrom('h2c', 'websocket')),
  single('X-HTTP-Method-Override', fc.constantFrom('DELETE', 'PATCH')),
  fc.integer({ min: 100, max: 20_000 }).map((length): Header[] => [['X-Long', 'l'.repeat(length)]]),
  fc
    .integer({ min: 1, max: 300 })
    .map((count) => Array.from({ length: count }, (_, n): Header => [`X-Many-${n}`, 'm'])),
);

export const extraHeaders: fc.Arbitrary<Header[]> = fc.oneof(
  { arbitrary: fc.constant<Header[]>([]), weight: 7 },
  { arbitrary: extras, weight: 3 },
  fc.array(extras, { maxLength: 4 }).map((all) => all.flat()),
);

export const hostHeader: fc.Arbitrary<Header[]> = fc.oneof(
  { arbitrary: fc.constant<Header[]>([['Host', 'api.example']]), weight: 15 },
  single('Host', addresses),
  fc.constant<Header[]>([]),
  fc.constant<Header[]>([
    ['Host', 'one.example'],
    ['Host', 'two.example'],
  ]),
);
