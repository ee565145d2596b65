/**
 * Fields of a port in the order of their versions.
 * contract: other-resources.md §1; microversions.json port_fields
 */
import { below, client, createOnly, field, type Field } from './field';

/** PATCH holds only the older fields to their versions (contract: microversions.json port_request_406). */
const taken = { ...client, ...below({ patch: 'taken' }) } as const;

export const portFields: readonly Field[] = [
  field(1, 'uuid', 'uuid', { ...createOnly, nullable: false }),
  field(1, 'address', 'string', { create: 'required', patch: true, nullable: false }),
  field(1, 'node_uuid', 'uuid', { ...client, nullable: false }),
  field(1, 'extra', 'object', { ...client, nullable: true }),
  field(1, 'created_at', 'time', { nullable: false, selectable: false }),
  field(1, 'updated_at', 'time', { selectable: false }),
  field(1, 'links', 'links', { computed: true }),
  field(18, 'internal_info', 'object', { masked: true, ...below({ fields: 'nothing' }) }),
  field(19, 'local_link_connection', 'object', { ...client, nullable: true }),
  field(19, 'pxe_enabled', 'boolean', { ...client, nullable: false, empty: true }),
  field(24, 'portgroup_uuid', 'uuid', client),
  field(34, 'physical_network', 'string', { ...client, minLength: 1, maxLength: 64 }),
  field(53, 'is_smartnic', 'boolean', { ...client, nullable: true, empty: false }),
  field(88, 'name', 'string', { ...taken, maxLength: 255 }),
  field(97, 'description', 'string', { ...taken, maxLength: 255 }),
  field(100, 'vendor', 'string', { ...taken, maxLength: 32 }),
  field(101, 'category', 'string', { ...taken, maxLength: 80 }),
  field(111, 'available_for_dynamic_portgroup', 'boolean', { ...taken, nullable: false, empty: true }),
];

/** What GET /v1/ports shows by default. */
export const portListFields = ['uuid', 'address'] as const;

export const portPatchable: ReadonlySet<string> = new Set(portFields.filter((one) => one.patch).map((one) => one.name));
