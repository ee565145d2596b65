/** What single versions changed beside fields, endpoints and arguments. contract: the texts of microversions.json versions */
import type { Bed } from './bed';
import { verdict, type Probe } from './probe';
import { inspectionData, waiting } from './things';

const patched = async (bed: Bed, path: string, minor: number, gate: number, operation: object) =>
  verdict(await bed.ask('PATCH', path, minor, [operation]), gate);

interface ShownNode {
  readonly uuid: string;
  readonly provision_state: string | null;
}

/** Where a node shows its state. */
const shownBy: Readonly<Record<string, (bed: Bed, node: string, minor: number) => Promise<unknown>>> = {
  'the node': async (bed, node, minor) => (await bed.ask('GET', `/v1/nodes/${node}`, minor)).body,
  'its states': async (bed, node, minor) => (await bed.ask('GET', `/v1/nodes/${node}/states`, minor)).body,
  'the list': (bed, node, minor) => listed(bed, '/v1/nodes', node, minor),
  'the list with details': (bed, node, minor) => listed(bed, '/v1/nodes/detail', node, minor),
};

async function listed(bed: Bed, path: string, node: string, minor: number): Promise<unknown> {
  const { nodes } = (await bed.ask('GET', path, minor)).body as { nodes: ShownNode[] };
  return nodes.find(({ uuid }) => uuid === node);
}

/** Only these two values are translated. */
const states: readonly Probe[] = Object.entries(shownBy).flatMap(([place, show]) => [
  {
    name: `the state available in ${place}`,
    gate: 2,
    below: 'null',
    from: 'available',
    ask: async (bed: Bed, _: unknown, minor: number) => {
      const node = await bed.led(['manage', 'provide']);
      return String(((await show(bed, node, minor)) as ShownNode).provision_state);
    },
  },
  {
    name: `the state inspect wait in ${place}`,
    gate: 39,
    below: 'inspecting',
    from: 'inspect wait',
    ask: async (bed: Bed, _: unknown, minor: number) => {
      const { node } = await waiting(bed);
      return String(((await show(bed, node, minor)) as ShownNode).provision_state);
    },
  },
]);

/** Filters use the real names at every version. */
const realName: Probe = {
  name: 'the filter provision_state takes inspect wait',
  gate: 39,
  below: 'inspecting',
  from: 'inspect wait',
  ask: async (bed, _, minor) => {
    const { node } = await waiting(bed);
    const { body } = await bed.ask('GET', '/v1/nodes?provision_state=inspect%20wait', minor);
    const { nodes } = body as { nodes: ShownNode[] };
    return nodes.find(({ uuid }) => uuid === node)?.provision_state ?? 'not listed';
  },
};

const names: readonly Probe[] = [
  {
    name: 'a node is addressed by its name',
    gate: 5,
    below: '404 resource',
    from: '200',
    ask: async (bed, { nodeName }, minor) => verdict(await bed.ask('GET', `/v1/nodes/${nodeName}`, minor), 5),
  },
  {
    name: 'names of nodes use every unreserved character',
    gate: 10,
    below: '400 resource',
    from: '201',
    ask: async (bed, _, minor) =>
      verdict(await bed.ask('POST', '/v1/nodes', minor, { driver: 'fake-hardware', name: `A_b~${bed.next}` }), 10),
  },
  {
    name: 'so do idents of nodes',
    gate: 10,
    below: '400 router',
    from: '404 resource',
    ask: async (bed, _, minor) => verdict(await bed.ask('GET', '/v1/nodes/A_b~none', minor), 10),
  },
];

const newState: Probe = {
  name: 'the state of a new node',
  gate: 11,
  below: 'available',
  from: 'enroll',
  ask: async (bed, _, minor) => {
    const { body } = await bed.ask('POST', '/v1/nodes', minor, { driver: 'fake-hardware' });
    return String((body as { provision_state: string }).provision_state);
  },
};

const chassis: readonly Probe[] = (
  [
    { op: 'remove', path: '/chassis_uuid' },
    { op: 'replace', path: '/chassis_uuid', value: null },
  ] as const
).map((operation) => ({
  name: `a node leaves its chassis by ${operation.op}`,
  gate: 25,
  below: '406 resource',
  from: '200',
  ask: async (bed: Bed, things: { chassis: string }, minor: number) => {
    const node = await bed.node({ chassis_uuid: things.chassis });
    return patched(bed, `/v1/nodes/${node}`, minor, 25, operation);
  },
}));

const noChassis: Probe = {
  name: 'a node without chassis is in none at any version',
  gate: 25,
  below: '200',
  from: '200',
  ask: async (bed, _, minor) =>
    patched(bed, `/v1/nodes/${await bed.node()}`, minor, 25, { op: 'remove', path: '/chassis_uuid' }),
};

/**
 * A node whose inspection stays under way is locked by it; from 39 on the state itself refuses, before the lock is looked at.
 */
const heldWhileInspecting: readonly Probe[] = (['node', 'port', 'group'] as const).map((part) => ({
  name: `PATCH of a ${part} while the node is inspecting`,
  gate: 39,
  below: '409 for the lock',
  from: '409 for the state',
  ask: async (bed, _, minor) => {
    const parts = await bed.inspecting();
    const collection = { node: 'nodes', port: 'ports', group: 'portgroups' }[part];
    const path = `/v1/${collection}/${parts[part]}`;
    const seen = await bed.ask('PATCH', path, minor, [{ op: 'add', path: '/extra/seen', value: minor }]);
    const why = /is locked by host/.test(seen.text) ? 'lock' : /inspecting/.test(seen.text) ? 'state' : seen.text;
    return `${seen.status} for the ${why}`;
  },
}));

const vifs: Probe = {
  name: 'a VIF that names both port_uuid and portgroup_uuid',
  gate: 67,
  below: '204',
  from: '400 resource',
  ask: async (bed, { port, portgroup }, minor) => {
    const body = { id: 'vif', port_uuid: port, portgroup_uuid: portgroup };
    return verdict(await bed.ask('POST', `/v1/nodes/${await bed.node()}/vifs`, minor, body), 67);
  },
};

const firmware: Probe = {
  name: 'validate tells of firmware',
  gate: 86,
  below: 'false',
  from: 'true',
  ask: async (bed, { node }, minor) =>
    String('firmware' in ((await bed.ask('GET', `/v1/nodes/${node}/validate`, minor)).body as object)),
};

const allocation: Probe = {
  name: 'an allocation for a node in use',
  gate: 58,
  below: '400 resource',
  from: '201',
  ask: async (bed, _, minor) => {
    const node = await bed.led(['manage', 'provide', 'active'], { resource_class: 'x' });
    return verdict(await bed.ask('POST', '/v1/allocations', minor, { node, resource_class: 'x' }), 58);
  },
};

const link = (keys: object) => ({ port_id: 'eth0', switch_id: '00:11:22:33:44:55', ...keys });
const vtep = { 'vtep-logical-switch': 'a', 'vtep-physical-switch': 'b' };

const portLink = (name: string, gate: number, below: string, from: string, keys: object): Probe => ({
  name,
  gate,
  below,
  from,
  ask: async (bed, { node }, minor) => {
    const body = { node_uuid: node, address: bed.mac, local_link_connection: link(keys) };
    const seen = await bed.ask('POST', '/v1/ports', minor, body);
    // The two keys exist in a range of versions, so the text names no single one.
    return seen.status === 406 && gate >= 90 ? '406 resource' : verdict(seen, gate);
  },
});

const vtepShown = (gate: number, below: string, from: string): Probe => ({
  name: 'vtep keys that are stored are shown',
  gate,
  below,
  from,
  ask: async (bed, { node }, minor) => {
    const body = { node_uuid: node, address: bed.mac, local_link_connection: link(vtep) };
    const made = await bed.ask('POST', '/v1/ports', 95, body);
    const { body: port } = await bed.ask('GET', `/v1/ports/${(made.body as { uuid: string }).uuid}`, minor);
    const { local_link_connection: shown } = port as { local_link_connection: object };
    return Object.keys(shown).length === 0 ? '{}' : 'vtep-logical-switch' in shown ? 'shown' : 'something else';
  },
});

const links: readonly Probe[] = [
  portLink('network_type in POST of a port', 64, '406 resource', '201', { network_type: 'managed' }),
  {
    name: 'network_type in PATCH of a port',
    gate: 64,
    below: '406 resource',
    from: '200',
    ask: async (bed, { node }, minor) => {
      const port = await bed.port(node, { local_link_connection: link({}) });
      const operation = { op: 'add', path: '/local_link_connection/network_type', value: 'managed' };
      return patched(bed, `/v1/ports/${port}`, minor, 64, operation);
    },
  },
  portLink('vtep keys come', 90, '406 resource', '201', vtep),
  portLink('vtep keys go', 105, '201', '406 resource', vtep),
  vtepShown(90, '{}', 'shown'),
  vtepShown(105, 'shown', '{}'),
];

const nodeIdent: Probe = {
  name: 'a port names its node by node_ident',
  gate: 94,
  below: '406 resource',
  from: '201',
  ask: async (bed, { nodeName }, minor) =>
    verdict(await bed.ask('POST', '/v1/ports', minor, { node_ident: nodeName, address: bed.mac }), 94),
};

const portByName: Probe = {
  name: 'a port is addressed by its name, whatever the version',
  gate: 88,
  below: '200',
  from: '200',
  ask: async (bed, _, minor) => verdict(await bed.ask('GET', '/v1/ports/subject-port', minor), 88),
};

const groupNetwork: Probe = {
  name: 'the physical_network of a port in a group is changed at the group only',
  gate: 102,
  below: '200',
  from: '400 resource',
  ask: async (bed, _, minor) => {
    const node = await bed.node();
    const group = await bed.create('/v1/portgroups', { node_uuid: node });
    const port = await bed.port(node, { portgroup_uuid: group });
    return patched(bed, `/v1/ports/${port}`, minor, 102, { op: 'add', path: '/physical_network', value: 'net' });
  },
};

const escapes: readonly Probe[] = [
  ['a~1b', { 'a/b': 1 }],
  ['a~0b', { 'a~b': 1 }],
].map(([segment, extra]) => ({
  name: `the escape in /extra/${String(segment)}`,
  gate: 98,
  below: '400 resource',
  from: `200 ${JSON.stringify(extra)}`,
  ask: async (bed: Bed, _: unknown, minor: number) => {
    const node = await bed.node();
    const operation = { op: 'add', path: `/extra/${String(segment)}`, value: 1 };
    const seen = await bed.ask('PATCH', `/v1/nodes/${node}`, minor, [operation]);
    const found = verdict(seen, 98);
    return found === '200' ? `200 ${JSON.stringify((seen.body as { extra: object }).extra)}` : found;
  },
}));

/** Below, the end is cut off where a version header is sent. */
const suffix: Probe = {
  name: 'the end .json belongs to the ident',
  gate: 91,
  below: '200',
  from: '404 resource',
  ask: async (bed, { nodeName }, minor) => verdict(await bed.ask('GET', `/v1/nodes/${nodeName}.json`, minor), 91),
};

const runbookNames: Probe = {
  name: 'a runbook has any logical name',
  gate: 112,
  below: '400 resource',
  from: '201',
  ask: async (bed, _, minor) => {
    const steps = [{ interface: 'deploy', step: 'erase', order: 1 }];
    return verdict(await bed.ask('POST', '/v1/runbooks', minor, { name: `any.name-${bed.next}`, steps }), 112);
  },
};

/** Below 1.112 the name of the runbook has to be a trait of the node; from there they share a trait. */
const runbookMatch = (name: string, traits: readonly string[], below: string, from: string): Probe => ({
  name,
  gate: 112,
  below,
  from,
  ask: async (bed, _, minor) => {
    const named = `CUSTOM_NAME${bed.next}`;
    const steps = [{ interface: 'deploy', step: 'erase', order: 1 }];
    const runbook = await bed.create('/v1/runbooks', { name: named, steps });
    await bed.must(204, 'PUT', `/v1/runbooks/${runbook}/traits`, { traits: ['CUSTOM_SHARED'] });
    const node = await bed.led(['manage']);
    const own = traits.map((one) => (one === 'name' ? named : one));
    await bed.must(204, 'PUT', `/v1/nodes/${node}/traits`, { traits: own });
    const body = { target: 'clean', runbook };
    return verdict(await bed.ask('PUT', `/v1/nodes/${node}/states/provision`, minor, body), 112);
  },
});

/** As real ramdisks post to what they take for an inspector: at 1.1 and without node_uuid, and there only. */
const inspectorLike: Probe = {
  name: 'continue_inspection without node_uuid at 1.1 only',
  gate: 2,
  below: '202 uuid',
  from: '404 resource',
  ask: async (bed, _, minor) => {
    const { mac } = await waiting(bed);
    const seen = await bed.ask('POST', '/v1/continue_inspection', minor, inspectionData(mac));
    return seen.status === 202 ? `202 ${Object.keys(seen.body as object).join()}` : verdict(seen, 84);
  },
};

export const ruleProbes: readonly Probe[] = [
  ...states,
  realName,
  ...names,
  newState,
  ...chassis,
  noChassis,
  ...heldWhileInspecting,
  vifs,
  firmware,
  allocation,
  ...links,
  nodeIdent,
  portByName,
  groupNetwork,
  ...escapes,
  suffix,
  runbookNames,
  runbookMatch('a runbook whose name is a trait of the node', ['name'], '202', '400 resource'),
  runbookMatch('a runbook that shares a trait with the node', ['CUSTOM_SHARED'], '400 resource', '202'),
  inspectorLike,
];
