/** Drivers, conductors, ramdisks and events. contract: other-resources.md §3-5, §7-8, §13, §15 */
import { argumentGates, conductorFields, driverFields, heartbeatArguments, INSPECTOR_LIKE_MINOR } from '../resources';
import { detailArgument, fieldsArgument, pageArguments } from './fields';
import {
  closed,
  flag,
  free,
  listOf,
  mapOf,
  oneOf,
  orNull,
  partOf,
  ref,
  text,
  uuid,
  type JsonSchema,
} from './json-schema';
import { chosen } from './lists';
import { volumeLinks } from './node-operations';
import { answers, type Operation } from './operation';
import { listings } from './plain-operations';

const DRIVER = '/v1/drivers/{name}';
const drivers = 'drivers';
const ramdisks = 'ramdisks';
const texts = mapOf(text);

const driverFieldsArgument = (minor: number) => fieldsArgument(driverFields, minor, argumentGates.driverFields.min);

const driverOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/drivers',
    summary: 'List the drivers that a living conductor serves',
    tag: drivers,
    query: (minor) => [
      {
        name: 'type',
        min: argumentGates.driverType.min,
        about: 'Of which kind.',
        schema: oneOf(['classic', 'dynamic']),
      },
      detailArgument(argumentGates.driverDetail.min),
      driverFieldsArgument(minor),
    ],
    answers: answers(200, closed({ drivers: listOf({ anyOf: [ref('DriverItem'), ref('DriverFields')] }) })),
  },
  {
    method: 'GET',
    path: DRIVER,
    summary: 'Show a driver',
    tag: drivers,
    query: (minor) => [driverFieldsArgument(minor)],
    answers: answers(200, ref('DriverFields')),
  },
  {
    method: 'GET',
    path: `${DRIVER}/properties`,
    summary: 'Show the properties of a driver',
    tag: drivers,
    answers: answers(200, texts),
  },
  {
    method: 'GET',
    path: '/v1/drivers/properties',
    summary: 'Show the properties of the driver that an argument names',
    tag: drivers,
    query: () => [{ name: 'driver_name', min: 1, about: 'The driver.', schema: text }],
    answers: answers(200, texts),
  },
  {
    method: 'GET',
    path: `${DRIVER}/raid/logical_disk_properties`,
    summary: 'Show what a logical disk may say',
    tag: drivers,
    answers: answers(200, texts),
  },
];

const conductorOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/conductors',
    summary: 'List the conductors',
    tag: 'conductors',
    query: (minor) => [
      ...pageArguments(conductorFields, minor),
      fieldsArgument(conductorFields, minor),
      detailArgument(),
    ],
    answers: answers(200, chosen('conductors', 'Conductor')),
  },
  {
    method: 'GET',
    path: '/v1/conductors/{hostname}',
    summary: 'Show a conductor',
    tag: 'conductors',
    query: (minor) => [fieldsArgument(conductorFields, minor)],
    answers: answers(200, ref('ConductorFields')),
  },
];

const told = closed({
  node: closed({
    uuid,
    properties: free,
    instance_info: free,
    driver_internal_info: free,
    links: ref('Links'),
  }),
  config: {
    ...free,
    properties: { heartbeat_timeout: { type: 'integer' }, agent_token: orNull(text), agent_token_required: flag },
    required: ['heartbeat_timeout', 'agent_token', 'agent_token_required'],
  },
});

const heartbeat = (minor: number): JsonSchema => {
  const known = Object.keys(heartbeatArguments).filter((name) => (heartbeatArguments[name] ?? 1) <= minor);
  const properties = Object.fromEntries(
    known.map((name) => [name, name === 'agent_status' ? oneOf(['start', 'end', 'error']) : text]),
  );
  return partOf(properties, ['callback_url', 'agent_token']);
};

const inspected: JsonSchema = {
  type: 'object',
  required: ['inventory'],
  properties: {
    inventory: {
      type: 'object',
      required: ['interfaces'],
      properties: {
        bmc_address: orNull(text),
        bmc_v6address: orNull(text),
        interfaces: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['mac_address'], properties: { mac_address: text } },
        },
      },
    },
  },
};

const ramdiskOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/lookup',
    summary: 'Find the node that a ramdisk runs on',
    tag: ramdisks,
    query: () => [
      { name: 'addresses', min: 1, about: 'MAC addresses.', schema: text, list: true },
      { name: 'node_uuid', min: 1, about: 'The node, where the ramdisk knows it.', schema: uuid },
    ],
    answers: answers(200, told),
    public: true,
  },
  {
    method: 'POST',
    path: '/v1/heartbeat/{ident}',
    summary: 'Say that a ramdisk lives',
    tag: ramdisks,
    body: heartbeat,
    answers: answers(202, null),
    public: true,
  },
  {
    method: 'POST',
    path: '/v1/continue_inspection',
    summary: 'Hand over what a ramdisk found',
    tag: ramdisks,
    alsoAt: INSPECTOR_LIKE_MINOR,
    query: (minor) =>
      minor === INSPECTOR_LIKE_MINOR
        ? []
        : [{ name: 'node_uuid', min: 1, about: 'The node, where the ramdisk knows it.', schema: uuid }],
    body: () => inspected,
    answers: (minor) => ({ 202: minor === INSPECTOR_LIKE_MINOR ? closed({ uuid }) : told }),
    public: true,
  },
];

const networkEvent = closed(
  {
    event: oneOf(['network.bind_port', 'network.unbind_port', 'network.delete_port']),
    port_id: uuid,
    mac_address: { ...text, pattern: '^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}$' },
    status: text,
    device_id: text,
    'binding:host_id': orNull(uuid),
    'binding:vnic_type': text,
  },
  ['device_id', 'binding:host_id', 'binding:vnic_type'],
);

export const otherOperations: readonly Operation[] = [
  ...driverOperations,
  ...conductorOperations,
  ...ramdiskOperations,
  ...listings('port', '/v1/portgroups/{ident}/ports', 'the ports of a port group', false),
  {
    method: 'GET',
    path: '/v1/volume',
    summary: 'Where the volume records are',
    tag: 'volume',
    answers: answers(200, volumeLinks),
  },
  {
    method: 'DELETE',
    path: '/v1/inspection_rules',
    summary: 'Remove all inspection rules',
    tag: 'inspection_rules',
    answers: answers(204, null),
  },
  {
    method: 'POST',
    path: '/v1/events',
    summary: 'Tell of an event elsewhere',
    tag: 'events',
    body: () => closed({ events: { ...listOf(networkEvent), minItems: 1 } }),
    answers: answers(204, null),
  },
];
