/** Paths and queries. */
import fc from 'fast-check';
import type { JsonSchema, OpenApiDocument } from '@lib/contracts/openapi';
import { schemasOf, valuesOf } from './from-schema';
import { likely } from './likely';
import { anyJson, names, oddTexts, poolUuid, texts, uuids } from './words';

/** Half of a surrogate pair has no UTF-8; a client that sends one sends something else. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));

const rawSegments = fc.constantFrom(
  ...[
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c3%28',
    '%2e%2e',
    '%2F',
    '..',
    '.',
    '%ed%a0%80',
    '%0d%0aX-Injected:%201',
    'a%20b',
    '~',
    '*',
    ';a=b',
    '@',
    ':',
  ],
);

/** Mostly what is kept in stock. */
const known = fc.oneof({ arbitrary: fc.nat(7).map(poolUuid), weight: 6 }, uuids, names);
const vendorMethods = ['second_method', 'third_method_sync', 'fourth_method_shared_lock'];

const byParameter: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '{name}': fc.constantFrom('fake-hardware', 'debug', 'BIOS'),
  '{trait}': fc.constantFrom('CUSTOM_FUZZ', 'HW_CPU_X86_VMX'),
  '{service}': fc.constantFrom('api', 'conductor', 'scheduler'),
  '{method}': fc.constantFrom(...vendorMethods, 'methods'),
  '{indicator}': fc.constantFrom('locator@chassis', 'alarm@chassis', 'led@system', 'power@system'),
};

const member = (segment: string): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: byParameter[segment] ?? known, weight: 16 }, known, oddTexts.map(encoded), rawSegments);

/** A path of the description with its parameters filled in. */
export const filled = (path: string): fc.Arbitrary<string> =>
  fc
    .tuple(...path.split('/').map((segment) => (segment.startsWith('{') ? member(segment) : fc.constant(segment))))
    .map((segments) => segments.join('/'));

/** The same path as other clients write it, and as none should. */
export const written = (path: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: path, weight: 16 },
    path.map((one) => `${one}/`),
    path.map((one) => one.replace(/^\/v1/, '') || '/'),
    path.map((one) => `${one}.json`),
    fc.tuple(path, texts.map(encoded)).map(([one, rest]) => `${one}/${rest}`),
  );

/** Paths that nobody described. */
export const elsewhere: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.oneof(texts.map(encoded), rawSegments, fc.constantFrom('v1', 'nodes', 'ports', 'v2', '')), {
      maxLength: 7,
    })
    .map((all) => `/${all.join('/')}`),
  fc.constantFrom(
    '*',
    'http://evil.example/v1/nodes',
    '//v1//nodes',
    '/v1/../v1/nodes',
    '/v1/nodes/..',
    '/?',
    '/#',
    '/v1/nodes;x',
    'v1',
  ),
  fc.nat(20_000).map((length) => `/v1/nodes/${'p'.repeat(length)}`),
  fc.nat(400).map((depth) => '/a'.repeat(depth + 1)),
);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema;
}

const asText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(asText).join(',')
      : (JSON.stringify(value) ?? '');

const rawQueries = fc.constantFrom(
  '&',
  '=',
  '?',
  '&&a',
  '%',
  'limit=%zz',
  'limit=1&limit=2',
  'a[]=1',
  'fields',
  'limit',
  '%00=1',
  '__proto__=1',
  'sort_key=%F0%9F',
);

/** The query of an operation: arguments that it takes, with values that they have and that they have not. */
export function queries(operation: JsonSchema, document: OpenApiDocument): fc.Arbitrary<string> {
  const declared = ((operation['parameters'] ?? []) as Parameter[]).filter((one) => one.in === 'query');
  const argument = (values: (one: Parameter) => fc.Arbitrary<unknown>) =>
    fc.constantFrom(...declared).chain((one) => values(one).map((value) => `${one.name}=${encoded(asText(value))}`));
  const foreign = fc.tuple(texts, texts).map((pair) => pair.map(encoded).join('='));
  if (declared.length === 0) return fc.oneof({ arbitrary: fc.constant(''), weight: 12 }, foreign, rawQueries);
  const good = argument(({ name, schema }) => likely(name, valuesOf(schema, schemasOf(document))));
  const some = fc.array(
    fc.oneof(
      { arbitrary: good, weight: 8 },
      argument(() => anyJson),
      foreign,
    ),
    { minLength: 1, maxLength: 4 },
  );
  return fc.oneof(
    { arbitrary: fc.constant(''), weight: 4 },
    { arbitrary: some.map((all) => all.join('&')), weight: 6 },
    rawQueries,
  );
}
