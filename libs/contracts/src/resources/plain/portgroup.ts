/** contract: other-resources.md §2; microversions.json portgroup_fields */
import { below, client, createOnly, field } from '../field';
import { unique, type PlainResource } from './plain-resource';

/** Shown from its version on, and taken before (contract: microversions.json, 102 and 103). */
const taken = { ...client, ...below({ create: 'taken', patch: 'taken' }) } as const;

export const portgroup: PlainResource = {
  kind: 'portgroup',
  concept: 'Portgroup',
  noun: 'port group',
  path: 'portgroups',
  listKey: 'portgroups',
  fields: [
    field(23, 'uuid', 'uuid', { ...createOnly, nullable: false }),
    field(23, 'address', 'string', client),
    field(23, 'name', 'string', { ...client, maxLength: 255 }),
    field(23, 'node_uuid', 'uuid', { create: 'required', patch: true, nullable: false }),
    field(23, 'extra', 'object', { ...client, nullable: true }),
    field(23, 'internal_info', 'object', { masked: true }),
    field(23, 'standalone_ports_supported', 'boolean', { ...client, nullable: false, empty: true }),
    field(23, 'created_at', 'time', { nullable: false, selectable: false }),
    field(23, 'updated_at', 'time', { selectable: false }),
    field(23, 'links', 'links', { computed: true }),
    field(23, 'ports', 'links', { computed: true }),
    field(26, 'mode', 'string', client),
    field(26, 'properties', 'object', { ...client, nullable: true }),
    field(102, 'physical_network', 'string', { ...taken, minLength: 1, maxLength: 64 }),
    field(103, 'category', 'string', { ...taken, maxLength: 80 }),
    field(111, 'dynamic_portgroup', 'boolean', { nullable: false, empty: false }),
  ],
  listFields: ['uuid', 'address', 'name'],
  addressed: 'by UUID or name',
  unique: [unique('portgroup', 'name'), unique('portgroup', 'address')],
  references: [],
  heldBy: [{ kind: 'port', column: 'portgroup_uuid' }],
  ofNode: true,
  hasDetailPath: true,
  filters: ['node', 'address', 'shard', 'conductor_groups'],
  secret: [],
  filterMin: { shard: 106 },
};
