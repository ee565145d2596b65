/** The root documents, and what this server answers outside of the contract's /v1. */
import { v1DocumentLinks } from '../resources';
import {
  anything,
  closed,
  flag,
  free,
  listOf,
  oneOf,
  orNull,
  ref,
  text,
  uri,
  whole,
  type JsonSchema,
} from './json-schema';
import { answers, answersAt, type Method, type Operation } from './operation';

const versionDocument = closed({
  id: oneOf(['v1']),
  links: ref('Links'),
  status: oneOf(['CURRENT']),
  min_version: ref('Version'),
  version: ref('Version'),
});

const root = closed({
  name: text,
  description: text,
  default_version: versionDocument,
  versions: listOf(versionDocument),
});

function v1(minor: number): JsonSchema {
  const families = Object.keys(v1DocumentLinks).filter((name) => (v1DocumentLinks[name] ?? 1) <= minor);
  return closed({
    id: oneOf(['v1']),
    links: listOf(closed({ href: uri, rel: oneOf(['self', 'describedby']), type: text }, ['type'])),
    media_types: closed({ base: text, type: text }),
    version: versionDocument,
    ...Object.fromEntries(families.map((name) => [name, ref('Links')])),
  });
}

const readiness = closed({ ready: flag, missing: listOf(text), troubled: listOf(text) }, ['troubled']);

const event = closed({
  position: whole,
  version: whole,
  type: text,
  schema: whole,
  data: anything,
  meta: free,
  recorded_at: { type: 'string', format: 'date-time' },
});

const time: JsonSchema = { type: 'string', format: 'date-time' };
const reason = { ...text, maxLength: 255 };

const deadline = closed({
  attempt: whole,
  retry: orNull(closed({ number: whole, of: whole })),
  due: time,
  remaining_seconds: { type: 'integer' },
  held: flag,
  overdue: flag,
  paused: flag,
  last_change: orNull(
    closed({
      change: oneOf(['extended', 'paused', 'resumed']),
      at: time,
      user: orNull(text),
      request_id: orNull(text),
      reason: orNull(reason),
    }),
  ),
});

const refused = {
  id: whole,
  at: time,
  attempt: whole,
  provision_state: text,
  why: oneOf(['late', 'duplicate', 'not expected']),
  bytes: whole,
  promoted_by: orNull(whole),
};

/** One of three, and why. */
const deadlineChange: JsonSchema = {
  oneOf: [
    closed({ extend_seconds: { type: 'number', exclusiveMinimum: 0 }, reason: orNull(reason) }, ['reason']),
    closed({ due_at: time, reason: orNull(reason) }, ['reason']),
    closed({ paused: flag, reason: orNull(reason) }, ['reason']),
  ],
};

/** What is read may also be asked for by HEAD, which has no body. */
const read = (operation: Omit<Operation, 'method'>): Operation[] =>
  (['GET', 'HEAD'] as const).map((method: Method) => ({ ...operation, method }));

const own = { tag: 'ferrolog', versionless: true } as const;

export const ownOperations: readonly Operation[] = [
  ...read({
    path: '/',
    summary: 'Tell the API and its versions',
    tag: 'versions',
    answers: answers(200, root),
    public: true,
  }),
  ...read({
    path: '/v1',
    summary: 'Tell the resources of a version',
    tag: 'versions',
    answers: answersAt(200, v1),
    public: true,
  }),
  ...read({
    ...own,
    path: '/healthcheck',
    summary: 'Tell that the API lives, where that is enabled',
    answers: answers(200, null),
    public: true,
  }),
  ...read({
    ...own,
    path: '/openapi.json',
    summary: 'Describe the API in OpenAPI 3.1',
    query: () => [
      {
        name: 'version',
        min: 1,
        about: 'The microversion to describe; the newest without it.',
        schema: ref('Version'),
      },
    ],
    answers: answers(200, {
      ...free,
      properties: { openapi: text, info: free, paths: free },
      required: ['openapi', 'info', 'paths'],
    }),
    public: true,
  }),
  ...read({
    ...own,
    path: '/ferrolog/v1/ready',
    summary: 'Tell whether the API can serve',
    answers: answers(200, readiness),
    troubles: { 503: readiness },
  }),
  ...read({
    ...own,
    path: '/ferrolog/v1/ready/{service}',
    summary: 'Tell whether a service can serve',
    answers: answers(200, readiness),
    troubles: { 503: readiness },
  }),
  ...read({
    ...own,
    path: '/ferrolog/v1/nodes/{ident}/events',
    summary: 'List the events of which a node is made',
    query: () => [
      { name: 'after', min: 1, about: 'A version of its stream.', schema: { type: 'integer', minimum: 0 } },
      { name: 'limit', min: 1, about: 'How many.', schema: { type: 'integer', minimum: 1 } },
    ],
    answers: answers(200, closed({ events: listOf(event) })),
  }),
  ...read({
    ...own,
    path: '/ferrolog/v1/nodes/{ident}/deadline',
    summary: 'Tell until when a node waits for its ramdisk',
    answers: answers(200, closed({ deadline: orNull(deadline) })),
  }),
  ...(['PUT', 'PATCH'] as const).map((method: Method) => ({
    ...own,
    method,
    path: '/ferrolog/v1/nodes/{ident}/deadline',
    summary: 'Extend, pause or resume the deadline that a node waits under',
    body: () => deadlineChange,
    answers: answers(200, closed({ deadline: orNull(deadline) })),
  })),
  ...read({
    ...own,
    path: '/ferrolog/v1/nodes/{ident}/refused',
    summary: 'List the data of ramdisks that was refused',
    answers: answers(200, closed({ refused: listOf(closed(refused)) })),
  }),
  ...read({
    ...own,
    path: '/ferrolog/v1/nodes/{ident}/refused/{id}',
    summary: 'Show refused data',
    answers: answers(200, closed({ ...refused, inventory: free, plugin_data: free })),
  }),
  {
    ...own,
    method: 'POST',
    path: '/ferrolog/v1/nodes/{ident}/refused/{id}/promote',
    summary: 'Use refused data in a new attempt',
    answers: answers(202, null),
    located: true,
  },
  {
    ...own,
    method: 'POST',
    path: '/ferrolog/v1/nodes/{ident}/inventory/reprocess',
    summary: 'Run hooks and rules once more over the data that was posted last',
    answers: answers(202, null),
    located: true,
  },
];
