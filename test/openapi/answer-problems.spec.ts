import { answerProblems, type Exchange } from './index';

const ID = 'req-01234567-89ab-cdef-0123-456789abcdef';
const ids = {
  'x-openstack-request-id': ID,
  'openstack-request-id': ID,
  'content-type': 'application/json',
  etag: '"x"',
};
const versions = (minor: number) => ({
  'x-openstack-ironic-api-version': `1.${minor}`,
  'x-openstack-ironic-api-minimum-version': '1.1',
  'x-openstack-ironic-api-maximum-version': '1.115',
});

const exchange = (given: Partial<Exchange> & { readonly body?: unknown }): Exchange => ({
  method: 'GET',
  path: '/v1/shards',
  status: 200,
  headers: { ...ids, ...versions(115) },
  text: given.body === undefined ? '' : JSON.stringify(given.body),
  ...given,
});

const wrapped = (inner: object | string) => ({
  error_message: typeof inner === 'string' ? inner : JSON.stringify(inner),
});
const notFound = { faultcode: 'Client', faultstring: 'gone', debuginfo: null };
const shards = { shards: [{ name: 'None', count: 1 }] };

it.each<readonly [string, Parameters<typeof exchange>[0]]>([
  ['a body as described', { body: shards }],
  ['without the leading /v1 and with a slash', { path: '/shards/', body: shards }],
  ['a word before a parameter', { path: '/v1/nodes/detail?limit=1', body: { nodes: [] } }],
  ['an old suffix', { path: '/v1/nodes.json', headers: { ...ids, ...versions(8) }, body: { nodes: [] } }],
  ['a fault', { status: 404, path: '/v1/nodes/x', body: wrapped(notFound) }],
  [
    'a fault of a path that is not described',
    { status: 404, path: '/v9', headers: ids, body: wrapped({ code: 404, title: 'Not Found', description: '' }) },
  ],
  [
    'a body that was too large',
    { method: 'POST', status: 413, headers: ids, body: { faultcode: 'Client', faultstring: 'large' } },
  ],
  ['an answer without a body', { method: 'DELETE', path: '/v1/nodes/x', status: 204 }],
  ['what the client has already', { path: '/v1/nodes/x', status: 304 }],
  ['nothing at all', { method: 'OPTIONS', headers: {} }],
  [
    'who is not ready',
    { path: '/ferrolog/v1/ready', status: 503, headers: ids, body: { ready: false, missing: ['database'] } },
  ],
])('accepts %s', (_, given) => {
  expect(answerProblems(exchange(given))).toEqual([]);
});

it.each<readonly [string, Parameters<typeof exchange>[0], RegExp]>([
  ['a key too many', { body: { ...shards, more: 1 } }, /additional properties.*more/],
  ['a wrong type', { body: { shards: [{ name: 'x', count: 'one' }] } }, /\/shards\/0\/count must be integer/],
  [
    'a field of a later version',
    { path: '/v1/nodes/x', headers: { ...ids, ...versions(4) }, body: { links: [], name: 'x' } },
    /name/,
  ],
  ['no JSON', { text: '<html>' }, /no JSON/],
  [
    'another type of text',
    { body: shards, headers: { ...ids, ...versions(115), 'content-type': 'text/html' } },
    /text\/html/,
  ],
  ['a success that is not described', { status: 201, body: shards }, /no such status/],
  ['a success of what is not there', { path: '/v1/shards/x', body: shards }, /no such operation/],
  ['an endpoint before its version', { headers: { ...ids, ...versions(81) }, body: shards }, /no such operation/],
  ['a body where there is none', { method: 'DELETE', path: '/v1/nodes/x', status: 204, body: {} }, /a body where none/],
  ['no version', { body: shards, headers: ids }, /Version is missing/],
  ['no place', { method: 'PUT', path: '/v1/nodes/x/states/power', status: 202 }, /Location is missing/],
  [
    'no tag',
    { path: '/v1/nodes/x', headers: { ...ids, ...versions(115), etag: undefined }, body: { links: [] } },
    /ETag/,
  ],
  ['no request id', { body: shards, headers: versions(115) }, /request id/],
  [
    'two request ids',
    { body: shards, headers: { ...ids, ...versions(115), 'openstack-request-id': 'req-x' } },
    /two request ids/,
  ],
  ['a fault without a text', { status: 404, body: wrapped({ ...notFound, faultstring: '' }) }, /faultstring/],
  ['a fault that is no JSON inside', { status: 404, body: wrapped('gone') }, /no JSON/],
  [
    'a fault with another status',
    { status: 404, body: wrapped({ code: 405, title: 'x', description: '' }) },
    /says 405/,
  ],
  ['a fault of the wrong side', { status: 500, body: wrapped(notFound) }, /of the Client/],
  ['a failure of another shape', { status: 502, body: { message: 'gateway' } }, /body/],
  ['a body to OPTIONS', { method: 'OPTIONS', headers: {}, body: {} }, /OPTIONS/],
])('refuses %s', (_, given, reason) => {
  expect(answerProblems(exchange(given)).join('\n')).toMatch(reason);
});
