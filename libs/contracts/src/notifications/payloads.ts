/** Fields that every kind of payload of a node begins with (contract: notifications.md §4). */
const nodeFields = [
  'uuid',
  'name',
  'bios_interface',
  'boot_interface',
  'boot_mode',
  'clean_step',
  'conductor_group',
  'console_enabled',
  'console_interface',
  'created_at',
  'deploy_interface',
  'deploy_step',
  'description',
  'disable_power_off',
  'driver',
  'extra',
  'fault',
  'inspect_interface',
  'inspection_finished_at',
  'inspection_started_at',
  'instance_uuid',
  'last_error',
  'lessee',
  'maintenance',
  'maintenance_reason',
  'management_interface',
  'network_interface',
  'owner',
  'power_interface',
  'power_state',
  'properties',
  'protected',
  'protected_reason',
  'provision_state',
  'provision_updated_at',
  'raid_interface',
  'rescue_interface',
  'resource_class',
  'retired',
  'retired_reason',
  'secure_boot',
  'storage_interface',
  'target_power_state',
  'target_provision_state',
  'traits',
  'updated_at',
  'vendor_interface',
] as const;

interface PayloadClass {
  readonly version: string;
  readonly fields: readonly string[];
}

const stamps = ['created_at', 'updated_at'] as const;

/** Name of each payload class, its version, and its fields (contract: notifications.md §4). */
export const payloadClasses = {
  NodePayload: { version: '1.17', fields: nodeFields },
  NodeCRUDPayload: { version: '1.15', fields: [...nodeFields, 'chassis_uuid', 'driver_info', 'instance_info'] },
  NodeSetPowerStatePayload: { version: '1.17', fields: [...nodeFields, 'to_power'] },
  NodeCorrectedPowerStatePayload: { version: '1.17', fields: [...nodeFields, 'from_power'] },
  NodeSetProvisionStatePayload: {
    version: '1.18',
    fields: [
      ...nodeFields,
      'driver_internal_info',
      'event',
      'instance_info',
      'previous_provision_state',
      'previous_target_provision_state',
    ],
  },
  AllocationCRUDPayload: {
    version: '1.1',
    fields: [
      'uuid',
      'name',
      'candidate_nodes',
      'extra',
      'last_error',
      'node_uuid',
      'owner',
      'resource_class',
      'state',
      'traits',
      ...stamps,
    ],
  },
  ChassisCRUDPayload: { version: '1.0', fields: ['uuid', 'description', 'extra', ...stamps] },
  DeployTemplateCRUDPayload: { version: '1.0', fields: ['uuid', 'name', 'extra', 'steps', ...stamps] },
  InspectionRuleCRUDPayload: {
    version: '1.0',
    fields: ['uuid', 'actions', 'conditions', 'description', 'phase', 'priority', 'scope', 'sensitive', ...stamps],
  },
  PortCRUDPayload: {
    version: '1.8',
    fields: [
      'uuid',
      'name',
      'address',
      'available_for_dynamic_portgroup',
      'category',
      'description',
      'extra',
      'is_smartnic',
      'local_link_connection',
      'node_uuid',
      'physical_network',
      'portgroup_uuid',
      'pxe_enabled',
      'vendor',
      ...stamps,
    ],
  },
  PortgroupCRUDPayload: {
    version: '1.3',
    fields: [
      'uuid',
      'name',
      'address',
      'category',
      'dynamic_portgroup',
      'extra',
      'mode',
      'node_uuid',
      'physical_network',
      'properties',
      'standalone_ports_supported',
      ...stamps,
    ],
  },
  RunbookCRUDPayload: {
    version: '1.1',
    fields: [
      'uuid',
      'name',
      'description',
      'disable_ramdisk',
      'extra',
      'owner',
      'public',
      'steps',
      'traits',
      ...stamps,
    ],
  },
  VolumeConnectorCRUDPayload: {
    version: '1.0',
    fields: ['uuid', 'connector_id', 'extra', 'node_uuid', 'type', ...stamps],
  },
  VolumeTargetCRUDPayload: {
    version: '1.0',
    fields: ['uuid', 'boot_index', 'extra', 'node_uuid', 'properties', 'volume_id', 'volume_type', ...stamps],
  },
} as const satisfies Readonly<Record<string, PayloadClass>>;

export type PayloadClassName = keyof typeof payloadClasses;

/** A document as a payload of the class: its fields and no others, null where the document has none. */
export const payloadOf = (
  name: PayloadClassName,
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(payloadClasses[name].fields.map((field) => [field, document[field] ?? null]));
