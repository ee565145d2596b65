/**
 * Resources that clients only read.
 * contract: node-api.md §17 (BIOS settings, firmware), §18 (history), other-resources.md §7 (drivers), §8 (conductors); microversions.json
 */
import { interfaceTypes, type InterfaceType } from '../settings';
import { below, field, type Field } from './field';

const shown = { sortable: false, column: null } as const;

/** A history entry. `node_uuid` is a column and never shown. */
export const historyFields: readonly Field[] = [
  field(78, 'uuid', 'uuid', { nullable: false }),
  field(78, 'created_at', 'time', { nullable: false }),
  field(78, 'severity', 'string', { nullable: false }),
  field(78, 'event', 'string', { ...shown, nullable: false }),
  field(78, 'links', 'links', { computed: true }),
  field(78, 'event_type', 'string'),
  field(78, 'conductor', 'string'),
  field(78, 'user', 'string'),
  field(113, 'project', 'string', shown),
  field(115, 'state', 'string', shown),
  field(115, 'target_provision_state', 'string', shown),
  field(115, 'duration_seconds', 'integer', shown),
];

export const historySummaryFields: ReadonlySet<string> = new Set(['uuid', 'created_at', 'severity', 'event', 'links']);

export const conductorFields: readonly Field[] = [
  field(49, 'hostname', 'string'),
  field(49, 'conductor_group', 'string'),
  field(49, 'alive', 'boolean', { sortable: false }),
  field(49, 'drivers', 'list'),
  field(49, 'created_at', 'time'),
  field(49, 'updated_at', 'time'),
  field(49, 'links', 'links', { computed: true }),
];

export const conductorListFields = ['hostname', 'conductor_group', 'alive'] as const;

/** From which version a driver shows default_<type>_interface and enabled_<type>_interfaces. */
export const driverInterfaceMin: Readonly<Record<InterfaceType, number>> = {
  bios: 40,
  boot: 30,
  console: 30,
  deploy: 30,
  firmware: 86,
  inspect: 30,
  management: 30,
  network: 30,
  power: 30,
  raid: 30,
  rescue: 38,
  storage: 33,
  vendor: 30,
};

export const driverFields: readonly Field[] = [
  field(1, 'name', 'string', shown),
  field(1, 'hosts', 'list', shown),
  field(1, 'links', 'links', { computed: true }),
  field(14, 'properties', 'links', { computed: true, selectable: true }),
  field(30, 'type', 'string', shown),
  ...interfaceTypes.flatMap((type) => [
    field(driverInterfaceMin[type], `default_${type}_interface`, 'string', shown),
    field(driverInterfaceMin[type], `enabled_${type}_interfaces`, 'list', shown),
  ]),
];

/** Shown in lists without `detail`. */
export const driverListFields: ReadonlySet<string> = new Set(['name', 'hosts', 'links', 'properties', 'type']);

/** A BIOS setting of a node; what comes with 74 is of the registry and shown in detail only. */
export const biosFields: readonly Field[] = [
  field(40, 'name', 'string', shown),
  field(40, 'value', 'string', shown),
  field(40, 'created_at', 'time', shown),
  field(40, 'updated_at', 'time', shown),
  field(40, 'links', 'links', { computed: true }),
  field(74, 'attribute_type', 'string', shown),
  field(74, 'allowable_values', 'list', shown),
  field(74, 'lower_bound', 'integer', shown),
  field(74, 'upper_bound', 'integer', shown),
  field(74, 'min_length', 'integer', shown),
  field(74, 'max_length', 'integer', shown),
  field(74, 'read_only', 'boolean', shown),
  field(74, 'reset_required', 'boolean', shown),
  field(74, 'unique', 'boolean', shown),
];

/** Shown in lists without `detail`. */
export const biosListFields: ReadonlySet<string> = new Set(['name', 'value', 'created_at', 'updated_at', 'links']);

const newerFirmware = { ...shown, ...below({ fields: 400 }) } as const;

/** A firmware component of a node; it has no links. */
export const firmwareFields: readonly Field[] = [
  field(86, 'component', 'string', shown),
  field(86, 'initial_version', 'string', shown),
  field(86, 'current_version', 'string', shown),
  field(86, 'last_version_flashed', 'string', shown),
  field(86, 'created_at', 'time', shown),
  field(86, 'updated_at', 'time', shown),
  field(114, 'vendor', 'string', newerFirmware),
  field(114, 'model', 'string', newerFirmware),
  field(114, 'serial_number', 'string', newerFirmware),
];
