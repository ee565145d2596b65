/**
 * Fields of everything but nodes, that came later than the resource.
 * contract: microversions.json (the sections of fields, port_request_406); other-resources.md
 */
import type { Bed } from './bed';
import { facts } from './facts';
import { shown, verdict, type Probe } from './probe';
import { SETTING, type Things } from './things';

/** Where a field is looked for, asked for and sent. */
interface Resource {
  readonly noun: string;
  /** First version of the resource. */
  readonly since: number;
  readonly fields: Readonly<Record<string, number>>;
  readonly one: (things: Things) => string;
  readonly list: string;
  readonly create?: (bed: Bed, things: Things) => object;
  /** Where it differs from: refused in POST, PATCH and `fields=` with 406. */
  readonly writable: Readonly<Record<string, Writable>>;
  readonly unsortable: readonly string[];
  /** Nothing is refused and nothing shown (contract: microversions.json, 18). */
  readonly silent?: readonly string[];
}

interface Writable {
  readonly value: (bed: Bed, things: Things) => unknown;
  readonly createBelow: string;
  readonly patchBelow: string;
  /** What a patch of a new resource gives. */
  readonly patch?: string;
  readonly noPatch?: true;
}

const text = (bed: Bed): string => `text-${bed.next}`;
const refused = { createBelow: '406 resource', patchBelow: '406 resource' } as const;
const taken = { createBelow: '201', patchBelow: '200' } as const;

const heldIn = (list: readonly string[], name: string) => list.includes(name);
const portWritable = (name: string, value: Writable['value']): Writable => ({
  value,
  createBelow: heldIn(facts.port_request_406.POST, name) ? '406 resource' : '201',
  patchBelow: heldIn(facts.port_request_406.PATCH, name) ? '406 resource' : '200',
});

const LINK = { port_id: 'eth0', switch_id: '00:11:22:33:44:55' } as const;

const ports: Resource = {
  noun: 'port',
  since: 1,
  fields: facts.port_fields,
  one: ({ port }) => `/v1/ports/${port}`,
  list: '/v1/ports',
  create: (bed, { node }) => ({ node_uuid: node, address: bed.mac }),
  writable: {
    pxe_enabled: portWritable('pxe_enabled', () => false),
    local_link_connection: portWritable('local_link_connection', () => LINK),
    portgroup_uuid: portWritable('portgroup_uuid', () => null),
    physical_network: portWritable('physical_network', text),
    is_smartnic: portWritable('is_smartnic', () => false),
    name: portWritable('name', text),
    description: portWritable('description', text),
    vendor: portWritable('vendor', text),
    category: portWritable('category', text),
    available_for_dynamic_portgroup: portWritable('available_for_dynamic_portgroup', () => false),
  },
  unsortable: ['internal_info', 'local_link_connection'],
  silent: ['internal_info'],
};

const portgroups: Resource = {
  noun: 'port group',
  since: 23,
  fields: facts.portgroup_fields,
  one: ({ portgroup }) => `/v1/portgroups/${portgroup}`,
  list: '/v1/portgroups',
  create: (_, { node }) => ({ node_uuid: node }),
  writable: {
    mode: { value: () => '802.3ad', ...refused },
    properties: { value: () => ({ miimon: 100 }), ...refused },
    physical_network: { value: text, ...taken },
    category: { value: text, ...taken },
  },
  unsortable: ['properties'],
};

const allocations: Resource = {
  noun: 'allocation',
  since: 52,
  fields: facts.allocation_fields,
  one: ({ allocation }) => `/v1/allocations/${allocation}`,
  list: '/v1/allocations',
  create: () => ({ resource_class: 'none-such' }),
  writable: { owner: { value: text, createBelow: '406 resource', patchBelow: '', noPatch: true } },
  unsortable: [],
};

const runbooks: Resource = {
  noun: 'runbook',
  since: 92,
  fields: facts.runbook_fields,
  one: ({ runbook }) => `/v1/runbooks/${runbook}`,
  list: '/v1/runbooks',
  create: (bed) => ({ name: `CUSTOM_F${bed.next}`, steps: [{ interface: 'deploy', step: 'erase', order: 1 }] }),
  writable: { description: { value: text, createBelow: '406 resource', patchBelow: '400 resource' } },
  unsortable: ['traits'],
};

function showing({ noun, one, list }: Resource, name: string, gate: number): Probe[] {
  const common = { gate, below: '200 hidden', from: '200 shown' };
  return [
    {
      ...common,
      name: `${noun} field ${name}: shown`,
      ask: async (bed, things, minor) => {
        const seen = await bed.ask('GET', one(things), minor);
        return shown(seen, name in (seen.body as object));
      },
    },
    {
      ...common,
      name: `${noun} field ${name}: shown in the list with details`,
      ask: async (bed, things, minor) => {
        // Families that are younger than the argument `detail` have no list of that name.
        const detailed = list === '/v1/ports' || list === '/v1/portgroups' ? `${list}/detail` : `${list}?detail=true`;
        const seen = await bed.ask('GET', detailed, minor);
        const items = Object.values(seen.body as Record<string, { uuid: string }[]>)[0] ?? [];
        const item = items.find(({ uuid }) => one(things).endsWith(uuid));
        return shown(seen, item !== undefined && name in item);
      },
    },
  ];
}

function naming({ noun, one, list, unsortable, silent = [] }: Resource, name: string, gate: number): Probe[] {
  const below = silent.includes(name) ? '200' : '406 resource';
  const sortable = !unsortable.includes(name);
  return [
    {
      name: `${noun} field ${name}: in fields=`,
      gate,
      below,
      from: '200',
      ask: async (bed, things, minor) => verdict(await bed.ask('GET', `${one(things)}?fields=${name}`, minor), gate),
    },
    {
      name: `${noun} field ${name}: in fields= of the list`,
      gate,
      below,
      from: '200',
      ask: async (bed, _, minor) => verdict(await bed.ask('GET', `${list}?fields=${name}`, minor), gate),
    },
    {
      name: `${noun} field ${name}: as sort_key`,
      gate,
      below: sortable ? '406 resource' : '400 resource',
      from: sortable ? '200' : '400 resource',
      ask: async (bed, _, minor) => verdict(await bed.ask('GET', `${list}?sort_key=${name}`, minor), gate),
    },
  ];
}

function writing({ noun, list, create }: Resource, name: string, gate: number, set: Writable): Probe[] {
  const { value, createBelow, patchBelow, patch = '200', noPatch } = set;
  if (!create) return [];
  const changed: Probe = {
    name: `${noun} field ${name}: in PATCH`,
    gate,
    below: patchBelow,
    from: patch,
    ask: async (bed, things, minor) => {
      const uuid = await bed.create(list, create(bed, things));
      const operation = { op: 'replace', path: `/${name}`, value: value(bed, things) };
      return verdict(await bed.ask('PATCH', `${list}/${uuid}`, minor, [operation]), gate);
    },
  };
  return [
    {
      name: `${noun} field ${name}: in POST`,
      gate,
      below: createBelow,
      from: '201',
      ask: async (bed, things, minor) => {
        const body = { ...create(bed, things), [name]: value(bed, things) ?? things.portgroup };
        // A port of a group has to be of the group's node.
        const placed = name === 'portgroup_uuid' ? { ...body, node_uuid: things.node } : body;
        return verdict(await bed.ask('POST', list, minor, placed), gate);
      },
    },
    ...(noPatch ? [] : [changed]),
  ];
}

function readOnly({ noun, list, create, one }: Resource, name: string, gate: number): Probe[] {
  const common = { gate, below: '400 resource', from: '400 resource' };
  return [
    {
      ...common,
      name: `${noun} field ${name}: refused in POST`,
      ask: async (bed, things, minor) =>
        verdict(await bed.ask('POST', list, minor, { ...create?.(bed, things), [name]: {} }), gate),
    },
    {
      ...common,
      name: `${noun} field ${name}: refused in PATCH`,
      ask: async (bed, things, minor) =>
        verdict(await bed.ask('PATCH', one(things), minor, [{ op: 'add', path: `/${name}`, value: {} }]), gate),
    },
  ];
}

const plain = [ports, portgroups, allocations, runbooks].flatMap((resource) =>
  Object.entries(resource.fields)
    .filter(([, gate]) => gate > resource.since)
    .flatMap(([name, gate]) => {
      const set = resource.writable[name];
      return [
        ...showing(resource, name, gate),
        ...naming(resource, name, gate),
        ...(set ? writing(resource, name, gate, set) : readOnly(resource, name, gate)),
      ];
    }),
);

/** Fields of what is only read: one answer of the resource, as an object. */
const onlyShown = (
  noun: string,
  fields: Readonly<Record<string, number>>,
  since: number,
  read: (bed: Bed, things: Things, minor: number) => Promise<object>,
): Probe[] =>
  Object.entries(fields)
    .filter(([, gate]) => gate > since)
    .map(([name, gate]) => ({
      name: `${noun} field ${name}: shown`,
      gate,
      below: 'hidden',
      from: 'shown',
      ask: async (bed, things, minor) => (name in (await read(bed, things, minor)) ? 'shown' : 'hidden'),
    }));

const body = async (bed: Bed, path: string, minor: number) => (await bed.ask('GET', path, minor)).body as object;

const history = [
  ...onlyShown('history', facts.history_fields.detail_adds, 78, (bed, { failed, event }, minor) =>
    body(bed, `/v1/nodes/${failed}/history/${event}`, minor),
  ),
  ...onlyShown('history list', facts.history_fields.detail_adds, 78, async (bed, { failed }, minor) => {
    const seen = await body(bed, `/v1/nodes/${failed}/history?detail=true`, minor);
    return (seen as { history: [object] }).history[0];
  }),
];

/** The contract writes the pairs of interface fields as one line, with the types that came later beside it. */
function driverFields(): Record<string, number> {
  const { name, hosts, links, properties, type, storage, rescue, bios, firmware, ...rest } = facts.driver_fields;
  const [[line, usual]] = Object.entries(rest) as [[string, number]];
  const types = /X in ([a-z,]+)/.exec(line)?.[1]?.split(',') ?? [];
  const all = { ...Object.fromEntries(types.map((one) => [one, usual])), storage, rescue, bios, firmware };
  const pairs = Object.entries(all).flatMap(([one, gate]) => [
    [`default_${one}_interface`, gate],
    [`enabled_${one}_interfaces`, gate],
  ]);
  return { name, hosts, links, properties, type, ...(Object.fromEntries(pairs) as Record<string, number>) };
}

const listedDriver = async (bed: Bed, query: string, minor: number) => {
  const { drivers } = (await body(bed, `/v1/drivers${query}`, minor)) as { drivers: { name: string }[] };
  return drivers.find(({ name }) => name === 'fake-hardware') ?? {};
};

const FIRST_DETAIL = 30;
const FIRST_FIELDS = 77;

const drivers = [
  ...onlyShown('driver', driverFields(), 1, (bed, _, minor) => body(bed, '/v1/drivers/fake-hardware', minor)),
  ...onlyShown('driver list', { properties: 14, type: 30 }, 1, (bed, _, minor) => listedDriver(bed, '', minor)),
  ...onlyShown('driver list with details', driverFields(), FIRST_DETAIL + 1, (bed, _, minor) =>
    listedDriver(bed, '?detail=true', minor),
  ),
  ...Object.entries(driverFields())
    .filter(([, gate]) => gate > FIRST_FIELDS)
    .map(([name, gate]): Probe => ({
      name: `driver field ${name}: in fields=`,
      gate,
      below: '406 resource',
      from: '200',
      ask: async (bed, _, minor) => verdict(await bed.ask('GET', `/v1/drivers?fields=${name}`, minor), gate),
    })),
];

interface Parts {
  readonly bios: [object];
  readonly firmware: [object];
}

const parts = [
  ...onlyShown('BIOS setting', facts.bios_fields, 40, async (bed, { told }, minor) => {
    const seen = (await body(bed, `/v1/nodes/${told}/bios/${SETTING}`, minor)) as Record<string, object>;
    return seen[SETTING] ?? {};
  }),
  ...onlyShown(
    'firmware component',
    facts.firmware_fields,
    86,
    async (bed, { told }, minor) => ((await body(bed, `/v1/nodes/${told}/firmware`, minor)) as Parts).firmware[0],
  ),
];

const firmware = Object.entries(facts.firmware_fields)
  .filter(([, gate]) => gate > 86)
  .map(([name, gate]): Probe => ({
    name: `firmware field ${name}: in fields=`,
    gate,
    below: '400 resource',
    from: '200',
    ask: async (bed, { node }, minor) =>
      verdict(await bed.ask('GET', `/v1/nodes/${node}/firmware?fields=${name}`, minor), gate),
  }));

export const otherFieldProbes: readonly Probe[] = [...plain, ...history, ...drivers, ...parts, ...firmware];
