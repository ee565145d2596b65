/** Arguments of queries. contract: microversions.json node_filters, and the texts of 5, 24, 30, 43, 60, 74, 77, 82, 99, 106 */
import { facts } from './facts';
import { shown, verdict, type Probe } from './probe';
import type { Things } from './things';

const arguments_: Readonly<Record<string, (things: Things) => string>> = {
  associated: () => 'true',
  chassis_uuid: ({ chassis }) => chassis,
  instance_uuid: ({ chassis }) => chassis,
  maintenance: () => 'false',
  marker: ({ node }) => node,
  limit: () => '1',
  sort_key: () => 'uuid',
  sort_dir: () => 'desc',
  fields: () => 'uuid',
  provision_state: () => 'enroll',
  driver: () => 'fake-hardware',
  resource_class: () => 'x',
  fault: () => 'power%20failure',
  detail: () => 'true',
  conductor_group: () => 'rack',
  conductor: ({ conductor }) => conductor,
  owner: () => 'x',
  description_contains: () => 'x',
  retired: () => 'false',
  project: () => 'x',
  lessee: () => 'x',
  shard: () => 'x',
  sharded: () => 'false',
  include_children: () => 'true',
  parent_node: ({ node }) => node,
  instance_name: () => 'x',
};

export const nodeArguments = Object.keys(arguments_);

const asked = (name: string, gate: number, below: string, path: (things: Things) => string, from = '200'): Probe => ({
  name,
  gate,
  below,
  from,
  ask: async (bed, things, minor) => verdict(await bed.ask('GET', path(things), minor), gate),
});

const query = (name: string, things: Things): string => `${name}=${arguments_[name]?.(things) ?? ''}`;

const nodes = Object.entries(facts.node_filters).map(([name, gate]) =>
  // `detail` alone is no argument yet; the others are known and too new.
  asked(
    `nodes?${name}`,
    gate,
    name === 'detail' ? '400 resource' : '406 resource',
    (things) => `/v1/nodes?${query(name, things)}`,
  ),
);

const plainInDetail = ['include_children', 'parent_node'];

/** The detailed list takes neither `fields` nor `detail`, and does not hold two filters to their version. */
const detailed = Object.entries(facts.node_filters)
  .filter(([name, gate]) => gate > 1 && name !== 'fields' && name !== 'detail')
  .map(([name, gate]) =>
    asked(
      `nodes/detail?${name}`,
      gate,
      plainInDetail.includes(name) ? '200' : '406 resource',
      (things) => `/v1/nodes/detail?${query(name, things)}`,
    ),
  );

const { fields, detail } = facts.node_filters;

/** The lists that are older than these arguments, and what is shown alone. */
const selecting = [
  ...['/v1/ports', '/v1/chassis'].map((path) =>
    asked(`${path}?fields`, fields, '406 resource', () => `${path}?fields=uuid`),
  ),
  asked('one node?fields', fields, '406 resource', ({ node }) => `/v1/nodes/${node}?fields=uuid`),
  asked('one port?fields', fields, '406 resource', ({ port }) => `/v1/ports/${port}?fields=uuid`),
  asked('one chassis?fields', fields, '406 resource', ({ chassis }) => `/v1/chassis/${chassis}?fields=uuid`),
  ...['/v1/ports', '/v1/portgroups', '/v1/chassis'].map((path) =>
    asked(`${path}?detail`, detail, '400 resource', () => `${path}?detail=true`),
  ),
  asked('ports of a node?detail', detail, '400 resource', ({ node }) => `/v1/nodes/${node}/ports?detail=true`),
  asked(
    'nodes of a chassis?detail',
    detail,
    '400 resource',
    ({ chassis }) => `/v1/chassis/${chassis}/nodes?detail=true`,
  ),
  asked(
    'nodes of a chassis?fields',
    fields,
    '406 resource',
    ({ chassis }) => `/v1/chassis/${chassis}/nodes?fields=uuid`,
  ),
];

const ports = [
  asked('ports?node=<name>', 5, '406 resource', ({ nodeName }) => `/v1/ports?node=${nodeName}`),
  asked('ports?node=<uuid>', 5, '200', ({ node }) => `/v1/ports?node=${node}`),
  asked('ports?portgroup', 24, '406 resource', ({ portgroup }) => `/v1/ports?portgroup=${portgroup}`),
  asked('ports?shard', 82, '406 resource', () => '/v1/ports?shard=x'),
  asked('ports?conductor_groups', 99, '200', () => '/v1/ports?conductor_groups=rack'),
  asked('portgroups?conductor_groups', 99, '200', () => '/v1/portgroups?conductor_groups=rack'),
  asked('portgroups?shard', 106, '406 resource', () => '/v1/portgroups?shard=x'),
];

const others = [
  asked('validate?node=<name>', 5, '406 resource', ({ nodeName }) => `/v1/nodes/validate?node=${nodeName}`),
  asked('validate?node=<uuid>', 5, '200', ({ node }) => `/v1/nodes/validate?node=${node}`),
  asked('drivers?type', 30, '406 resource', () => '/v1/drivers?type=dynamic'),
  asked('drivers?detail', 30, '406 resource', () => '/v1/drivers?detail=true'),
  asked('drivers?fields', 77, '406 resource', () => '/v1/drivers?fields=name'),
  asked('one driver?fields', 77, '406 resource', () => '/v1/drivers/fake-hardware?fields=name'),
  asked('allocations?owner', 60, '406 resource', () => '/v1/allocations?owner=x'),
  asked('bios?detail', 74, '400 resource', ({ node }) => `/v1/nodes/${node}/bios?detail=true`),
  asked('bios?fields', 74, '400 resource', ({ node }) => `/v1/nodes/${node}/bios?fields=name`),
];

/** Families that are older than the argument for others, and had it from their beginning. */
const volumes = ['connectors', 'targets'].map((part) =>
  asked(`volume/${part}?detail`, 32, '404 router', () => `/v1/volume/${part}?detail=true`),
);

/** An argument that nobody knows is a bad one, old version or new. */
const unknown = [1, 8, 43].map((gate) =>
  asked('nodes?<unknown>', gate, '400 resource', () => '/v1/nodes?none_such=1', '400 resource'),
);

const reset: Probe = {
  name: 'PATCH of a node?reset_interfaces',
  gate: 45,
  below: '406 resource',
  from: '200',
  ask: async (bed, _, minor) => {
    const node = await bed.node();
    const patch = [{ op: 'replace', path: '/driver', value: 'fake-hardware' }];
    return verdict(await bed.ask('PATCH', `/v1/nodes/${node}?reset_interfaces=true`, minor, patch), 45);
  },
};

const documentLinks = Object.entries(facts.v1_document_links).map(([name, gate]): Probe => ({
  name: `the /v1 document: ${name}`,
  gate,
  below: '200 hidden',
  from: '200 shown',
  ask: async (bed, _, minor) => {
    const seen = await bed.ask('GET', '/v1', minor);
    return shown(seen, name in (seen.body as object));
  },
}));

export const queryProbes: readonly Probe[] = [
  ...nodes,
  ...detailed,
  ...selecting,
  ...ports,
  ...others,
  ...volumes,
  ...unknown,
  reset,
  ...documentLinks,
];
