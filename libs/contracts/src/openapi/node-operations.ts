/** Nodes themselves and what is listed below them. contract: node-api.md §3-9, §18-20, §23 */
import {
  argumentGates,
  historyFields,
  nodeFields,
  nodeQueryMin,
  uncheckedInDetail,
  type PlainKind,
} from '../resources';
import { detailArgument, fieldsArgument, pageArguments } from './fields';
import { anything, closed, flag, listOf, oneOf, orNull, ref, text, uri, uuid, type JsonSchema } from './json-schema';
import { chosen, full, page } from './lists';
import { answers, type Operation, type QueryArgument } from './operation';
import { listings } from './plain-operations';

export const NODE = '/v1/nodes/{ident}';
const tag = 'nodes';

const paging: ReadonlySet<string> = new Set(['marker', 'limit', 'sort_key', 'sort_dir', 'fields', 'detail']);
const flags: ReadonlySet<string> = new Set(['associated', 'maintenance', 'retired', 'sharded', 'include_children']);
const uuids: ReadonlySet<string> = new Set(['instance_uuid', 'chassis_uuid']);

const filters: readonly QueryArgument[] = Object.entries(nodeQueryMin)
  .filter(([name]) => !paging.has(name))
  .map(([name, min]) => ({
    name,
    min,
    about: `Only nodes that fit this ${name}.`,
    schema: flags.has(name) ? flag : uuids.has(name) ? uuid : text,
  }));

/** Nodes at a place; the other resource's own list takes no filters. */
function nodeListings(place: string, of: string, taken: readonly QueryArgument[]): Operation[] {
  return [
    {
      method: 'GET',
      path: place,
      summary: `List ${of}`,
      tag,
      query: (minor) => [
        ...pageArguments(nodeFields, minor),
        fieldsArgument(nodeFields, minor),
        detailArgument(),
        ...taken,
      ],
      answers: answers(200, chosen('nodes', 'Node')),
    },
    {
      method: 'GET',
      path: `${place}/detail`,
      summary: `List ${of} with all fields`,
      tag,
      query: (minor) => [
        ...pageArguments(nodeFields, minor),
        ...taken.map((one) => (uncheckedInDetail.has(one.name) ? { ...one, min: 1 } : one)),
      ],
      answers: answers(200, full('nodes', 'Node')),
    },
  ];
}

const validation: JsonSchema = {
  type: 'object',
  additionalProperties: closed({ result: orNull(flag), reason: text }, ['reason']),
};

/** Parts of a node that are collections of plain resources. */
const parts: readonly (readonly [PlainKind, string])[] = [
  ['port', 'ports'],
  ['portgroup', 'portgroups'],
  ['volume_connector', 'volume/connectors'],
  ['volume_target', 'volume/targets'],
];

export const volumeLinks = closed({ links: ref('Links'), connectors: ref('Links'), targets: ref('Links') });

export const nodeOperations: readonly Operation[] = [
  ...nodeListings('/v1/nodes', 'nodes', filters),
  ...nodeListings('/v1/chassis/{uuid}/nodes', 'the nodes of a chassis', []),
  {
    method: 'POST',
    path: '/v1/nodes',
    summary: 'Create a node',
    tag,
    body: () => ref('NodeCreation'),
    answers: answers(201, ref('Node')),
    tagged: true,
    located: true,
  },
  {
    method: 'GET',
    path: NODE,
    summary: 'Show a node',
    tag,
    query: (minor) => [fieldsArgument(nodeFields, minor)],
    answers: answers(200, ref('NodeFields')),
    tagged: true,
  },
  {
    method: 'PATCH',
    path: NODE,
    summary: 'Change a node',
    tag,
    query: () => [
      {
        name: 'reset_interfaces',
        min: argumentGates.resetInterfaces.min,
        about: 'With a new driver: take its defaults for the interfaces that are not named.',
        schema: flag,
      },
    ],
    body: () => ref('NodePatch'),
    answers: answers(200, ref('Node')),
    tagged: true,
  },
  { method: 'DELETE', path: NODE, summary: 'Remove a node', tag, answers: answers(204, null) },
  {
    method: 'GET',
    path: `${NODE}/validate`,
    summary: 'Validate the interfaces of a node',
    tag,
    answers: answers(200, validation),
  },
  {
    method: 'GET',
    path: '/v1/nodes/validate',
    summary: 'Validate the interfaces of the node that an argument names',
    tag,
    query: () => [
      { name: 'node', min: 1, about: 'UUID or name.', schema: text },
      { name: 'node_uuid', min: 1, about: 'UUID.', schema: uuid },
    ],
    answers: answers(200, validation),
  },
  {
    method: 'PUT',
    path: `${NODE}/maintenance`,
    summary: 'Set maintenance',
    tag,
    body: () => closed({ reason: orNull(text) }, ['reason']),
    bodyOptional: true,
    answers: answers(202, null),
  },
  { method: 'DELETE', path: `${NODE}/maintenance`, summary: 'Clear maintenance', tag, answers: answers(202, null) },
  ...parts.flatMap(([kind, path]) => listings(kind, `${NODE}/${path}`, `${path} of a node`, false)),
  {
    method: 'GET',
    path: `${NODE}/volume`,
    summary: 'Where the volume records of a node are',
    tag,
    answers: answers(200, volumeLinks),
  },
  {
    method: 'GET',
    path: `${NODE}/children`,
    summary: 'List the children of a node',
    tag,
    answers: answers(200, closed({ children: listOf(uuid), links: closed({ href: uri, rel: oneOf(['children']) }) })),
  },
  {
    method: 'GET',
    path: `${NODE}/history`,
    summary: 'List what happened to a node',
    tag,
    query: (minor) => [...pageArguments(historyFields, minor), detailArgument(1)],
    answers: answers(200, page('history', { anyOf: [ref('HistorySummary'), ref('HistoryEntry')] })),
  },
  {
    method: 'GET',
    path: `${NODE}/history/{uuid}`,
    summary: 'Show an entry of the history of a node',
    tag,
    answers: answers(200, ref('HistoryEntry')),
    tagged: true,
  },
  {
    method: 'GET',
    path: `${NODE}/inventory`,
    summary: 'Show what the last inspection found',
    tag,
    answers: answers(200, closed({ inventory: anything, plugin_data: anything })),
    tagged: true,
  },
  {
    method: 'GET',
    path: '/v1/shards',
    summary: 'Count the nodes of each shard',
    tag,
    answers: answers(200, closed({ shards: listOf(closed({ name: text, count: { type: 'integer', minimum: 1 } })) })),
  },
];
