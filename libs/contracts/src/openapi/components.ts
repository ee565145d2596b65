/** Parts of the document that many operations name. contract: errors-and-negotiation.md §1, §5, §9 */
import { MINOR_MAX, MINOR_MIN } from '../resources';
import { closed, listOf, oneOf, partOf, ref, text, uri, type JsonSchema } from './json-schema';

/** The two forms of what an error says, and that it says it as JSON inside a string. */
const resourceFault = closed({
  faultcode: oneOf(['Client', 'Server']),
  faultstring: { ...text, minLength: 1 },
  debuginfo: { type: ['string', 'null'] },
});
const routerFault = closed({ code: { type: 'integer', minimum: 400, maximum: 599 }, title: text, description: text });

export const faultSchemas: Readonly<Record<string, JsonSchema>> = {
  Fault: {
    description: 'Every error. The text inside `error_message` is JSON itself, except where a client refuses JSON.',
    anyOf: [
      closed({
        error_message: {
          ...text,
          contentMediaType: 'application/json',
          contentSchema: { anyOf: [resourceFault, routerFault] },
        },
      }),
      {
        ...partOf({ faultcode: oneOf(['Client']), faultstring: text }, ['faultcode', 'faultstring']),
        description: 'A body beyond the limits.',
      },
    ],
  },
};

export const sharedSchemas: Readonly<Record<string, JsonSchema>> = {
  ...faultSchemas,
  Links: { ...listOf(closed({ href: uri, rel: oneOf(['self', 'bookmark']) })), minItems: 1, maxItems: 2 },
  Version: { type: 'string', pattern: '^1\\.[0-9]+$', examples: [`1.${MINOR_MAX}`] },
};

interface Header {
  readonly about: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
}

const header = ({ about, schema, required = false }: Header): JsonSchema => ({ description: about, required, schema });

const requestId = { ...text, pattern: '^req-[0-9a-f-]{36}$' };

export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  'x-openstack-request-id': header({
    about: 'Names the request in logs and events.',
    schema: requestId,
    required: true,
  }),
  'openstack-request-id': header({ about: 'The same.', schema: requestId, required: true }),
  'X-OpenStack-Ironic-API-Version': header({ about: 'The agreed microversion.', schema: ref('Version') }),
  'X-OpenStack-Ironic-API-Minimum-Version': header({ about: `1.${MINOR_MIN}`, schema: ref('Version') }),
  'X-OpenStack-Ironic-API-Maximum-Version': header({ about: `1.${MINOR_MAX}`, schema: ref('Version') }),
  ETag: header({
    about: 'Names this version of the resource in this form, for If-Match and If-None-Match.',
    schema: text,
  }),
  Location: header({ about: 'Where to look next.', schema: uri }),
  Allow: header({ about: 'With 405: the methods that there are.', schema: text }),
};

const headersOf = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ids = ['x-openstack-request-id', 'openstack-request-id'];
const versions = [
  'X-OpenStack-Ironic-API-Version',
  'X-OpenStack-Ironic-API-Minimum-Version',
  'X-OpenStack-Ironic-API-Maximum-Version',
];

interface Has {
  readonly located: boolean;
  readonly versions: boolean;
  readonly tagged: boolean;
}

export const successHeaders = ({ located, versions: versioned, tagged }: Has): JsonSchema =>
  headersOf([...ids, ...(versioned ? versions : []), ...(tagged ? ['ETag'] : []), ...(located ? ['Location'] : [])]);

const fault = (about: string): JsonSchema => ({
  description: about,
  headers: headersOf([...ids, ...versions, 'Allow']),
  content: { 'application/json': { schema: ref('Fault') } },
});

export const responses: Readonly<Record<string, JsonSchema>> = {
  Refused: fault('The request is wrong, or cannot be carried out now.'),
  PreconditionFailed: fault('The resource is at none of the versions that If-Match names; nothing happened.'),
  KeyReused: fault('The Idempotency-Key was sent with another request before; nothing happened.'),
  Failed: fault('The server or what it needs failed.'),
};

const headerParameter = (name: string, about: string, example: string): JsonSchema => ({
  ...{ name, in: 'header', description: about, schema: text, example },
});

/** What careful clients add. `methods`: with which it means something. */
export const carefulParameters: Readonly<
  Record<string, { readonly methods: readonly string[]; readonly said: JsonSchema }>
> = {
  IfMatch: {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    said: headerParameter('If-Match', 'Only if the resource is at a version of these tags, else 412.', '"tag"'),
  },
  IfNoneMatch: {
    methods: ['GET'],
    said: headerParameter('If-None-Match', 'The answer is 304 where the client has it already.', '"tag"'),
  },
  IdempotencyKey: {
    methods: ['POST', 'PUT', 'PATCH'],
    said: headerParameter(
      'Idempotency-Key',
      'One effect and one answer for 24 hours, however often it is sent.',
      'a-uuid',
    ),
  },
};

/** Why an operator wants what an operation may be given a reason for. */
export const reasonParameter: Readonly<Record<string, JsonSchema>> = {
  Reason: headerParameter(
    'X-Ferrolog-Reason',
    'Of an abort: why; kept with its event and text, at most 255 characters.',
    'wrong rack',
  ),
};

export const versionParameters: Readonly<Record<string, JsonSchema>> = {
  IronicVersion: headerParameter('X-OpenStack-Ironic-API-Version', 'The microversion, or `latest`.', `1.${MINOR_MAX}`),
  OpenStackVersion: headerParameter(
    'OpenStack-API-Version',
    'The same in the words of all services; wins where both are sent.',
    `baremetal 1.${MINOR_MAX}`,
  ),
};
