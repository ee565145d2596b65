/** The OpenAPI 3.1 document of one microversion, from the declarations. */
import { serviceNames } from '../settings';
import {
  carefulParameters,
  reasonParameter,
  responseHeaders,
  responses,
  sharedSchemas,
  successHeaders,
  versionParameters,
} from './components';
import { oneOf, text, type JsonSchema } from './json-schema';
import type { Operation, QueryArgument } from './operation';
import { operationsAt } from './operations';
import { resourceSchemas } from './resources';
import { tags } from './tags';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly security: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  /** Path -> method in lower case -> operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

export type AuthStrategy = 'noauth' | 'http_basic' | 'keystone';

const JSON_TYPE = 'application/json';

const schemes: Readonly<Record<AuthStrategy, Readonly<Record<string, JsonSchema>>>> = {
  noauth: {},
  http_basic: { basic: { type: 'http', scheme: 'basic' } },
  keystone: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } },
};

const description = (minor: number): string =>
  `What a client that asks for microversion 1.${minor} may send and is answered. Collections are also found without the ` +
  'leading `/v1`, a trailing slash is ignored, and named arguments of PUT may stand in the query instead of the body. ' +
  'Pages of an origin in `[cors] allowed_origin` get `Access-Control-Allow-Origin` and `Access-Control-Expose-Headers` ' +
  'with every answer, and `Vary: Origin` unless any origin is let in.';

/** Throws where two operations share a method and a path. */
export function openApiDocument(minor: number, authStrategy: AuthStrategy = 'noauth'): OpenApiDocument {
  const served = operationsAt(minor);
  const securitySchemes = schemes[authStrategy];
  const paths = pathsOf(served, minor);
  const named = { ...sharedSchemas, ...resourceSchemas(minor) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bare Metal API',
      version: `1.${minor}`,
      summary: 'The OpenStack Bare Metal API as ferrolog serves it',
      description: description(minor),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '.', description: 'Where this document was found.' }],
    security:
      Object.keys(securitySchemes).length === 0 ? [{}] : Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: [...new Set(served.map(({ tag }) => tag))].map((name) => ({ name, description: tags[name] ?? name })),
    paths,
    components: {
      schemas: reached(named, [paths, responses, responseHeaders]),
      responses,
      headers: responseHeaders,
      parameters: { ...versionParameters, ...carefulSaid, ...reasonParameter },
      ...(Object.keys(securitySchemes).length > 0 ? { securitySchemes } : {}),
    },
  };
}

const carefulSaid: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(carefulParameters).map(([name, { said }]) => [name, said]),
);

function pathsOf(served: readonly Operation[], minor: number): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of served) {
    const methods = (paths[operation.path] ??= {});
    const method = operation.method.toLowerCase();
    if (methods[method] !== undefined) throw new Error(`${operation.method} ${operation.path} is declared twice`);
    methods[method] = operationObject(operation, minor);
  }
  return paths;
}

function operationObject(operation: Operation, minor: number): JsonSchema {
  const { summary, tag, versionless = false, body, bodyOptional = false } = operation;
  const query = (operation.query?.(minor) ?? []).filter(({ min }) => min <= minor);
  const parameters = [
    ...pathParameters(operation.path),
    ...query.map(queryParameter),
    ...(versionless ? [] : Object.keys(versionParameters).map(parameterRef)),
    ...carefulNames(operation).map(parameterRef),
    ...(operation.reasoned ? Object.keys(reasonParameter).map(parameterRef) : []),
  ];
  return {
    operationId: operationId(operation),
    summary,
    tags: [tag],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: !bodyOptional, content: { [JSON_TYPE]: { schema: body(minor) } } } } : {}),
    responses: responsesOf(operation, minor),
    ...(operation.public ? { security: [{}] } : {}),
  };
}

const parameterRef = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

const isCareful = (path: string): boolean => path.startsWith('/v1/') || path.startsWith('/ferrolog/v1/nodes/');

/** Conditions and keys go with the contract's routes and our own below a node; a tag to compare with only where there is one. */
const carefulNames = ({ method, path, tagged = false }: Operation): string[] =>
  Object.entries(carefulParameters)
    .filter(([, { methods }]) => isCareful(path) && methods.includes(method))
    .map(([name]) => name)
    .filter((name) => method !== 'GET' || tagged || name === 'IdempotencyKey');

/** `GET /v1/nodes/{ident}/states` -> `getV1NodesIdentStates`. */
const operationId = ({ method, path }: Operation): string =>
  method.toLowerCase() + path.replace(/[^a-zA-Z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());

const pathParameters = (path: string): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'service' ? oneOf(serviceNames) : text,
  }));

const queryParameter = ({ name, about, schema, list = false }: QueryArgument): JsonSchema => ({
  name,
  in: 'query',
  description: about,
  schema: list ? { type: 'array', items: schema } : schema,
  ...(list ? { style: 'form', explode: false } : {}),
});

function responsesOf(operation: Operation, minor: number): JsonSchema {
  const {
    mediaType = JSON_TYPE,
    located = false,
    versionless = false,
    tagged = false,
    method,
    troubles = {},
  } = operation;
  const headers = successHeaders({ located, versions: !versionless, tagged });
  const content = (schema: JsonSchema | null) =>
    schema === null || method === 'HEAD' ? {} : { content: { [mediaType]: { schema } } };
  const success = Object.entries(operation.answers(minor)).map(([status, schema]) => [
    status,
    { description: titles[status] ?? 'Done', headers, ...content(schema) },
  ]);
  const trouble = Object.entries(troubles).map(([status, schema]) => [
    status,
    { description: 'What is missing', headers, ...content(schema) },
  ]);
  return {
    ...Object.fromEntries([...success, ...trouble]),
    ...(tagged && method === 'GET' ? { 304: { description: 'The client has this answer', headers } } : {}),
    ...Object.fromEntries(carefulNames(operation).flatMap((name) => refusalsOf[name] ?? [])),
    '4XX': { $ref: '#/components/responses/Refused' },
    '5XX': { $ref: '#/components/responses/Failed' },
  };
}

/** What a condition or a key may bring beside what any request may. */
const refusalsOf: Readonly<Record<string, readonly (readonly [status: string, said: JsonSchema])[]>> = {
  IfMatch: [['412', { $ref: '#/components/responses/PreconditionFailed' }]],
  IdempotencyKey: [['422', { $ref: '#/components/responses/KeyReused' }]],
};

const titles: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content' };

/** The named schemas that something names, directly or through others. */
function reached(named: Readonly<Record<string, JsonSchema>>, from: readonly unknown[]): Record<string, JsonSchema> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const target = (value as JsonSchema)['$ref'];
    const name = typeof target === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec(target)?.[1] : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      look(named[name]);
    }
    for (const inner of Object.values(value)) look(inner);
  };
  from.forEach(look);
  return Object.fromEntries(Object.entries(named).filter(([name]) => found.has(name)));
}
