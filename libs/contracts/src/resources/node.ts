/**
 * Fields of a node in the order of their versions.
 * contract: node-api.md §1; microversions.json node_fields, node_fields_always, node_link_fields
 */
import { client, createOnly, field, patchOnly, type Field } from './field';

/** The interface types in the contract's order of defaulting (node-api.md §3). */
export const interfaceTypes = [
  'bios',
  'boot',
  'console',
  'deploy',
  'firmware',
  'inspect',
  'management',
  'network',
  'power',
  'raid',
  'rescue',
  'storage',
  'vendor',
] as const;
export type InterfaceType = (typeof interfaceTypes)[number];

export const nodeFields: readonly Field[] = [
  field(1, 'uuid', 'uuid', { ...createOnly, nullable: false }),
  field(1, 'driver', 'string', { create: 'required', patch: true, nullable: false, maxLength: 255 }),
  field(1, 'driver_info', 'object', { ...client, nullable: true, masked: true }),
  field(1, 'properties', 'object', { ...client, nullable: true }),
  field(1, 'extra', 'object', { ...client, nullable: true }),
  field(1, 'instance_info', 'object', { ...client, nullable: true, masked: true }),
  field(1, 'instance_uuid', 'uuid', client),
  field(1, 'chassis_uuid', 'uuid', { ...client, sortable: false }),
  field(1, 'maintenance', 'boolean', { ...client, nullable: false, empty: false }),
  field(1, 'maintenance_reason', 'string'),
  field(1, 'power_state', 'string'),
  field(1, 'target_power_state', 'string'),
  field(1, 'provision_state', 'string', { nullable: false }),
  field(1, 'target_provision_state', 'string'),
  field(1, 'provision_updated_at', 'time'),
  field(1, 'last_error', 'string'),
  field(1, 'reservation', 'string'),
  field(1, 'console_enabled', 'boolean', { ...createOnly, nullable: false, empty: false }),
  field(1, 'created_at', 'time', { nullable: false, selectable: false }),
  field(1, 'updated_at', 'time', { selectable: false }),
  field(1, 'links', 'links', { computed: true }),
  field(1, 'ports', 'links', { computed: true }),
  field(3, 'driver_internal_info', 'object', { masked: true }),
  field(5, 'name', 'string', { ...client, maxLength: 255 }),
  field(6, 'inspection_started_at', 'time'),
  field(6, 'inspection_finished_at', 'time'),
  field(7, 'clean_step', 'object', { masked: true }),
  field(12, 'raid_config', 'object'),
  field(12, 'target_raid_config', 'object'),
  field(14, 'states', 'links', { computed: true }),
  field(20, 'network_interface', 'string', client),
  field(21, 'resource_class', 'string', { ...client, maxLength: 80 }),
  field(24, 'portgroups', 'links', { computed: true }),
  field(31, 'boot_interface', 'string', client),
  field(31, 'console_interface', 'string', client),
  field(31, 'deploy_interface', 'string', client),
  field(31, 'inspect_interface', 'string', client),
  field(31, 'management_interface', 'string', client),
  field(31, 'power_interface', 'string', client),
  field(31, 'raid_interface', 'string', client),
  field(31, 'vendor_interface', 'string', client),
  field(32, 'volume', 'links', { computed: true }),
  field(33, 'storage_interface', 'string', client),
  field(37, 'traits', 'list'),
  field(38, 'rescue_interface', 'string', client),
  field(40, 'bios_interface', 'string', client),
  field(42, 'fault', 'string'),
  field(44, 'deploy_step', 'object', { masked: true }),
  field(46, 'conductor_group', 'string', { ...client, nullable: false, empty: '', maxLength: 255 }),
  field(47, 'automated_clean', 'boolean', client),
  field(48, 'protected', 'boolean', { ...patchOnly, nullable: true, empty: false }),
  field(48, 'protected_reason', 'string', patchOnly),
  field(49, 'conductor', 'string', { computed: true }),
  field(50, 'owner', 'string', { ...client, maxLength: 255 }),
  field(51, 'description', 'string', { ...client, maxLength: 4096 }),
  field(52, 'allocation_uuid', 'uuid', { sortable: false }),
  field(61, 'retired', 'boolean', { ...client, empty: false }),
  field(61, 'retired_reason', 'string', client),
  field(65, 'lessee', 'string', { ...client, maxLength: 255 }),
  field(66, 'network_data', 'object', { ...client, nullable: true }),
  field(75, 'boot_mode', 'string', createOnly),
  field(75, 'secure_boot', 'boolean', createOnly),
  field(82, 'shard', 'string', { ...client, maxLength: 255 }),
  field(83, 'parent_node', 'string', { ...client, maxLength: 36 }),
  field(86, 'firmware_interface', 'string', client),
  field(87, 'service_step', 'object', { masked: true }),
  field(95, 'disable_power_off', 'boolean', client),
  field(104, 'instance_name', 'string', { ...client, minLength: 1, maxLength: 255 }),
  field(109, 'health', 'string'),
];

/** What GET /v1/nodes shows by default; `name` from 1.5 (contract: node-api.md §5, in the order of its `next` link). */
export const nodeListFields = [
  'instance_uuid',
  'maintenance',
  'power_state',
  'provision_state',
  'uuid',
  'name',
] as const;

/** GET /v1/nodes/{ident}/states (contract: node-api.md §9); each from its own version or the one given. */
export const nodeStatesFields: readonly (readonly [name: string, min: number])[] = [
  ['console_enabled', 1],
  ['last_error', 1],
  ['power_state', 1],
  ['provision_state', 1],
  ['target_power_state', 1],
  ['target_provision_state', 1],
  ['provision_updated_at', 1],
  ['raid_config', 12],
  ['target_raid_config', 12],
  ['boot_mode', 75],
  ['secure_boot', 75],
];

/** First path segments that a PATCH may name (contract: node-api.md §6). */
export const nodePatchable: ReadonlySet<string> = new Set(nodeFields.filter((one) => one.patch).map((one) => one.name));
