/** Bytes that are no HTTP request, or not quite one. */
import fc from 'fast-check';

const GOOD = ['GET /v1/nodes HTTP/1.1', 'Host: api.example'];
const text = (...lines: string[]): Buffer => Buffer.from([...lines, '', ''].join('\r\n'), 'latin1');
const post = (...headers: string[]): string[] => [
  'POST /v1/nodes HTTP/1.1',
  'Host: x',
  'Content-Type: application/json',
  ...headers,
];

const known = fc.constantFrom(
  text('GET /v1/nodes'),
  text('GET /v1/nodes HTTP/9.9'),
  text('GET /v1/nodes HTTP/1.0'),
  text('GET  /v1/nodes  HTTP/1.1', 'Host: x'),
  text('GE\0T /v1 HTTP/1.1', 'Host: x'),
  text('GET /v1\tx HTTP/1.1', 'Host: x'),
  text('GET /v1/\x80\xff HTTP/1.1', 'Host: x'),
  text('get /v1/nodes HTTP/1.1', 'Host: x'),
  text('FETCH /v1/nodes HTTP/1.1', 'Host: x'),
  text('PRI * HTTP/2.0', '', 'SM'),
  text(...GOOD, 'No colon here'),
  text(...GOOD, ': no name'),
  text(...GOOD, 'Bad Name: x'),
  text(...GOOD, 'X-Ctl: a\x01b'),
  text(...GOOD, ' folded: x'),
  text(...GOOD, 'X-Nul: \0'),
  text(...GOOD, 'Content-Length: -1'),
  text(...GOOD, 'Content-Length: 1e3'),
  text(...GOOD, 'Content-Length: 99999999999999999999'),
  text(...GOOD, 'Content-Length: 5', 'Content-Length: 6'),
  text(...post('Content-Length: 4', 'Transfer-Encoding: chunked'), '0'),
  text(...post('Transfer-Encoding: chunked', '', 'zz', '{}')),
  text(...post('Transfer-Encoding: chunked', '', 'ffffffffffffffff', '{}')),
  text(...post('Transfer-Encoding: chunked', '', '2', '{}')),
  text(...post('Transfer-Encoding: gzip')),
  text(...post('Transfer-Encoding: xchunked')),
  text(...post('Content-Length: 500', '', '{"driver":')),
  text(...GOOD, `X-Long: ${'h'.repeat(40_000)}`),
  text(`GET /v1/nodes?${'q'.repeat(40_000)} HTTP/1.1`, 'Host: x'),
  Buffer.from('\r\n\r\n\r\n'),
  Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'),
  Buffer.alloc(0),
);

export const brokenBytes: fc.Arbitrary<Buffer> = fc.oneof(
  { arbitrary: known, weight: 3 },
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(known, fc.nat(), fc.nat(255)).map(([good, at, byte]) => {
    const bytes = Buffer.from(good);
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
);
