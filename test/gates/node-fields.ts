/** Fields of nodes. contract: microversions.json node_fields, node_link_fields, generic_rules; node-api.md §1, §3-6 */
import type { Bed } from './bed';
import { facts } from './facts';
import { shown, verdict, type Probe } from './probe';
import type { Things } from './things';

type Value = (bed: Bed, things: Things) => unknown;

/** What a client may write of the fields that came later, with the answers where they are no plain success. */
interface Writable {
  readonly value: Value;
  readonly create?: '201' | '400 resource';
  readonly patch?: '200' | '400 resource';
  /** Some may not be emptied. */
  readonly remove?: '400 resource';
  /** What says nothing, for the creations that tolerate it below. */
  readonly empty?: unknown;
}

const always =
  (value: unknown): Value =>
  () =>
    value;
const text: Writable = { value: (bed) => `text-${bed.next}` };
const interfaceOf = (name = 'fake'): Writable => ({ value: always(name) });
const notInPatch: Writable = { value: always('uefi'), patch: '400 resource' };

const writable: Readonly<Record<string, Writable>> = {
  name: text,
  network_interface: interfaceOf('noop'),
  resource_class: text,
  boot_interface: interfaceOf(),
  console_interface: interfaceOf(),
  deploy_interface: interfaceOf(),
  inspect_interface: interfaceOf(),
  management_interface: interfaceOf(),
  power_interface: interfaceOf(),
  raid_interface: interfaceOf(),
  vendor_interface: interfaceOf(),
  storage_interface: interfaceOf('noop'),
  rescue_interface: interfaceOf(),
  bios_interface: interfaceOf(),
  firmware_interface: interfaceOf(),
  conductor_group: { value: always('rack'), remove: '400 resource', empty: '' },
  automated_clean: { value: always(true) },
  protected: { value: always(false), create: '400 resource' },
  protected_reason: { value: always(null), create: '400 resource' },
  // Without a project of the caller nobody may say at the creation whose the node is (contract: node-api.md §3).
  owner: { ...text, create: '400 resource' },
  description: text,
  retired: { value: always(true) },
  retired_reason: { value: always(null) },
  lessee: text,
  network_data: { value: always({ links: [], networks: [], services: [] }) },
  shard: text,
  parent_node: { value: (_, { failed }) => failed },
  disable_power_off: { value: always(true) },
  instance_name: text,
  boot_mode: notInPatch,
  secure_boot: { ...notInPatch, value: always(true) },
};

const gated = Object.entries({ ...facts.node_fields, ...facts.node_link_fields }).filter(([, min]) => min > 1);
const links = new Set(Object.keys(facts.node_link_fields));

const unsortable = new Set([
  ...['driver_internal_info', 'clean_step', 'deploy_step', 'service_step', 'raid_config', 'target_raid_config'],
  ...['traits', 'network_data', 'conductor', 'allocation_uuid', ...links],
]);

/** In the one node, in the list with details, after a creation. */
const showing = (name: string, gate: number): Probe[] => [
  {
    name: `node field ${name}: shown`,
    gate,
    below: '200 hidden',
    from: '200 shown',
    ask: async (bed, { node }, minor) => {
      const seen = await bed.ask('GET', `/v1/nodes/${node}`, minor);
      return shown(seen, name in (seen.body as object));
    },
  },
  {
    name: `node field ${name}: shown in the list with details`,
    gate,
    below: '200 hidden',
    from: '200 shown',
    ask: async (bed, _, minor) => {
      const seen = await bed.ask('GET', '/v1/nodes/detail?limit=1', minor);
      return shown(seen, name in (seen.body as { nodes: [object] }).nodes[0]);
    },
  },
];

const naming = (name: string, gate: number): Probe[] => {
  const known = links.has(name) ? '400 resource' : '200';
  // Words that nothing can be selected or sorted by are bad ones at every version.
  const below = (from: string) => (from === '200' ? '406 resource' : from);
  // The argument itself came with 1.8.
  const named = Math.max(gate, facts.node_filters.fields);
  const one: Probe = {
    name: `node field ${name}: in fields=`,
    gate: named,
    below: below(known),
    from: known,
    ask: async (bed, { node }, minor) =>
      verdict(await bed.ask('GET', `/v1/nodes/${node}?fields=${name}`, minor), named),
  };
  const sorted = unsortable.has(name) ? '400 resource' : '200';
  return [
    one,
    {
      ...one,
      name: `node field ${name}: in fields= of the list`,
      ask: async (bed, _, minor) => verdict(await bed.ask('GET', `/v1/nodes?limit=1&fields=${name}`, minor), named),
    },
    {
      name: `node field ${name}: as sort_key`,
      gate,
      below: below(sorted),
      from: sorted,
      ask: async (bed, _, minor) => verdict(await bed.ask('GET', `/v1/nodes?limit=1&sort_key=${name}`, minor), gate),
    },
  ];
};

const create = (bed: Bed, minor: number, name: string, value: unknown) =>
  bed.ask('POST', '/v1/nodes', minor, { driver: 'fake-hardware', [name]: value });

const writing = (name: string, gate: number, { value, ...wanted }: Writable): Probe[] => {
  const onCreate = wanted.create ?? '201';
  const inSchema = name !== 'protected' && name !== 'protected_reason';
  const onPatch = wanted.patch ?? '200';
  const patch = async (bed: Bed, minor: number, operation: object) => {
    const node = await bed.node();
    return verdict(await bed.ask('PATCH', `/v1/nodes/${node}`, minor, [operation]), gate);
  };
  const patchBelow = onPatch === '200' ? '406 resource' : onPatch;
  const empty: Probe = {
    name: `node field ${name}: empty in POST`,
    gate,
    below: '201',
    from: '201',
    ask: async (bed, _, minor) => verdict(await create(bed, minor, name, wanted.empty ?? null), gate),
  };
  return [
    {
      name: `node field ${name}: in POST`,
      gate,
      below: inSchema ? '406 resource' : onCreate,
      from: onCreate,
      ask: async (bed, things, minor) => {
        const given = value(bed, things) ?? 'because';
        return verdict(await create(bed, minor, name, given), gate);
      },
    },
    ...(inSchema ? [empty] : []),
    ...(['add', 'replace'] as const).map((op): Probe => ({
      name: `node field ${name}: ${op} in PATCH`,
      gate,
      below: patchBelow,
      from: onPatch,
      ask: (bed, things, minor) => patch(bed, minor, { op, path: `/${name}`, value: value(bed, things) }),
    })),
    {
      name: `node field ${name}: null in PATCH`,
      gate,
      below: patchBelow,
      from: 'not 406',
      ask: async (bed, _, minor) => {
        const found = await patch(bed, minor, { op: 'replace', path: `/${name}`, value: null });
        return found.startsWith('406') || minor < gate ? found : 'not 406';
      },
    },
    {
      name: `node field ${name}: remove in PATCH`,
      gate,
      below: wanted.remove ?? onPatch,
      from: wanted.remove ?? onPatch,
      ask: (bed, _, minor) => patch(bed, minor, { op: 'remove', path: `/${name}` }),
    },
  ];
};

/** What only the server sets is refused whoever asks. */
const readOnly = (name: string, gate: number): Probe[] => [
  {
    name: `node field ${name}: refused in POST`,
    gate,
    below: '400 resource',
    from: '400 resource',
    ask: async (bed, _, minor) => verdict(await create(bed, minor, name, 'x'), gate),
  },
  {
    name: `node field ${name}: refused in PATCH`,
    gate,
    below: '400 resource',
    from: '400 resource',
    ask: async (bed, { node }, minor) =>
      verdict(await bed.ask('PATCH', `/v1/nodes/${node}`, minor, [{ op: 'add', path: `/${name}`, value: 'x' }]), gate),
  },
];

/** A path inside of a field is not held to the field's version. */
const inside: Probe = {
  name: 'node field network_data: a path inside of it in PATCH',
  gate: facts.node_fields.network_data,
  below: '200',
  from: '200',
  ask: async (bed, _, minor) => {
    const node = await bed.node({ network_data: { links: [], services: [] } });
    const patch = [{ op: 'add', path: '/network_data/services/-', value: {} }];
    return verdict(await bed.ask('PATCH', `/v1/nodes/${node}`, minor, patch), facts.node_fields.network_data);
  },
};

/** `states` shows a part of the node. */
const inStates = ['raid_config', 'target_raid_config', 'boot_mode', 'secure_boot'].map((name): Probe => {
  const gate = (facts.node_fields as Record<string, number>)[name] ?? 0;
  return {
    name: `node field ${name}: in states`,
    gate,
    below: '200 hidden',
    from: '200 shown',
    ask: async (bed, { node }, minor) => {
      const seen = await bed.ask('GET', `/v1/nodes/${node}/states`, minor);
      return shown(seen, name in (seen.body as object));
    },
  };
});

/** By default a list shows few fields, and the name only to those who know names. */
const nameInList: Probe = {
  name: 'node field name: in the list',
  gate: facts.node_fields.name,
  below: '200 hidden',
  from: '200 shown',
  ask: async (bed, _, minor) => {
    const seen = await bed.ask('GET', '/v1/nodes?limit=1', minor);
    return shown(seen, 'name' in (seen.body as { nodes: [object] }).nodes[0]);
  },
};

export const writableFields = Object.keys(writable);

export const nodeFieldProbes: readonly Probe[] = [
  ...gated.flatMap(([name, gate]) => {
    const set = writable[name];
    return [...showing(name, gate), ...naming(name, gate), ...(set ? writing(name, gate, set) : readOnly(name, gate))];
  }),
  inside,
  ...inStates,
  nameInList,
];
