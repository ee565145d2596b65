/** Requests out of the description of the API: as it describes them, spoiled, to other places, and no HTTP at all. */
import fc from 'fast-check';
import { openApiDocument, type JsonSchema, type OpenApiDocument } from '@lib/contracts/openapi';
import { brokenBytes } from './broken';
import { schemasOf, valuesOf } from './from-schema';
import type { FuzzRequest } from './fuzz-request';
import { contentType, extraHeaders, hostHeader, versionHeaders, type Header } from './heads';
import { bytesOf, longBodies, spoiledJson } from './spoil';
import { elsewhere, filled, queries, written } from './targets';
import { anyJson, minors } from './words';

interface Target {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonSchema;
}

const documents = new Map<number, OpenApiDocument>();

function documentOf(minor: number): OpenApiDocument {
  const found = documents.get(minor) ?? openApiDocument(minor);
  documents.set(minor, found);
  return found;
}

const targetsOf = (document: OpenApiDocument): Target[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

function bodySchema(operation: JsonSchema): JsonSchema | undefined {
  const body = operation['requestBody'] as
    { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> } | undefined;
  return Object.values(body?.content ?? {})[0]?.schema;
}

const framing = fc.oneof({ arbitrary: fc.constant('length' as const), weight: 9 }, fc.constant('chunked' as const));
const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

interface Parts {
  readonly kind: FuzzRequest['kind'];
  readonly method: fc.Arbitrary<string>;
  readonly target: fc.Arbitrary<string>;
  readonly heads: fc.Arbitrary<Header[]>;
  readonly body: fc.Arbitrary<Buffer | null>;
}

const goodHeads = (minor: number): fc.Arbitrary<Header[]> =>
  fc.constant([
    ['Host', 'api.example'],
    ['X-OpenStack-Ironic-API-Version', `1.${minor}`],
    ['Content-Type', 'application/json'],
  ]);

const anyHeads = (minor: number): fc.Arbitrary<Header[]> =>
  fc.tuple(hostHeader, versionHeaders(minor), contentType, extraHeaders).map((all) => all.flat());

const request = ({ kind, method, target, heads, body }: Parts): fc.Arbitrary<FuzzRequest> =>
  fc.tuple(method, target, heads, body, framing).map(([verb, address, headers, bytes, framed]) => ({
    kind,
    method: verb,
    target: address,
    headers,
    body: bytes,
    framing: framed,
  }));

const nothing = fc.constant(null);

/** As described: what is refused is so because of what is stored, or because two values do not go together. */
function described({ method, path, operation }: Target, minor: number): fc.Arbitrary<FuzzRequest> {
  const document = documentOf(minor);
  const schema = bodySchema(operation);
  const target = fc.tuple(filled(path), queries(operation, document)).map(([place, query]) => withQuery(place, query));
  const body = schema
    ? valuesOf(schema, schemasOf(document)).map((value) => Buffer.from(JSON.stringify(value)))
    : nothing;
  return request({ kind: 'described', method: fc.constant(method), target, heads: goodHeads(minor), body });
}

function spoiled({ method, path, operation }: Target, minor: number): fc.Arbitrary<FuzzRequest> {
  const document = documentOf(minor);
  const schema = bodySchema(operation);
  const good = schema ? valuesOf(schema, schemasOf(document)) : anyJson;
  const target = fc
    .tuple(written(filled(path)), queries(operation, document))
    .map(([place, query]) => withQuery(place, query));
  const body = fc.oneof(
    { arbitrary: bytesOf(spoiledJson(good)), weight: 20 },
    { arbitrary: bytesOf(good), weight: 10 },
    { arbitrary: nothing, weight: 3 },
    { arbitrary: longBodies, weight: 1 },
  );
  const verbs = fc.oneof({ arbitrary: fc.constant(method), weight: 9 }, methods);
  return request({ kind: 'spoiled', method: verbs, target, heads: anyHeads(minor), body });
}

const methods = fc.constantFrom(
  ...[
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'SEARCH',
    'M-SEARCH',
    'QUERY',
    'CONNECT',
  ],
);

const strayed = (minor: number): fc.Arbitrary<FuzzRequest> =>
  request({
    kind: 'elsewhere',
    method: methods,
    target: elsewhere,
    heads: anyHeads(minor),
    body: fc.oneof({ arbitrary: nothing, weight: 2 }, bytesOf(anyJson)),
  });

const broken: fc.Arbitrary<FuzzRequest> = brokenBytes.map((body) => ({
  kind: 'broken',
  method: '-',
  target: '-',
  headers: [],
  body,
  framing: 'raw',
}));

const byMinor = new Map<number, fc.Arbitrary<FuzzRequest>>();

/** Removals are seldom, so that there is something left to ask for. */
const weightOf = ({ method }: Target): number =>
  method === 'DELETE' ? 1 : method === 'POST' || method === 'PATCH' ? 6 : 3;

function atVersion(minor: number): fc.Arbitrary<FuzzRequest> {
  const made =
    byMinor.get(minor) ??
    fc.oneof(
      ...targetsOf(documentOf(minor)).flatMap((target) => [
        { arbitrary: described(target, minor), weight: 2 * weightOf(target) },
        { arbitrary: spoiled(target, minor), weight: 3 * weightOf(target) },
      ]),
      { arbitrary: strayed(minor), weight: 80 },
      { arbitrary: broken, weight: 40 },
    );
  byMinor.set(minor, made);
  return made;
}

const requests = minors.chain(atVersion);

/** `count` requests, the same for the same seed. */
export const requestsOf = (seed: number, count: number): FuzzRequest[] => fc.sample(requests, { seed, numRuns: count });
