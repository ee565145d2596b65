import { transportBox } from '@lib/adapters/secret-box';
import { systemChance } from '@lib/adapters/system-clock';
import { QueryArguments, type Call } from '../http';
import { fingerprintOf } from './fingerprint';

const transport = transportBox(new Uint8Array(32), systemChance);
const call = {
  requester: 'alice',
  method: 'PATCH',
  params: { ident: 'n' },
  query: new QueryArguments('a=1&b=2'),
  minor: 90,
  body: Buffer.from('[]'),
  services: { transport },
} as unknown as Call;
const print = (changed: Partial<Call> = {}, pattern = 'nodes/{ident}', ifMatch?: string) =>
  fingerprintOf({ ...call, ...changed }, pattern, ifMatch);

it.each<readonly [string, string]>([
  ['another requester', print({ requester: 'bob' })],
  ['none', print({ requester: null })],
  ['another method', print({ method: 'PUT' })],
  ['another path', print({}, 'ports/{ident}')],
  ['another resource', print({ params: { ident: 'm' } })],
  ['another query', print({ query: new QueryArguments('a=1') })],
  ['another version', print({ minor: 91 })],
  ['another condition', print({}, undefined, '"x"')],
  ['another body', print({ body: Buffer.from('[ ]') })],
])('tells requests apart: %s', (_what, other) => {
  expect(other).not.toBe(print());
});

it('takes what is the same for the same, whatever address it was asked under', () => {
  expect(print({ publicUrl: 'https://x', requestId: 'r', jsonCut: true })).toBe(print());
});
