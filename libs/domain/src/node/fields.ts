/** The 13 interface types of a hardware type, in the order in which defaults are computed (contract: node-api.md §3). */
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
export type InterfaceField = `${InterfaceType}_interface`;

export const interfaceField = (type: InterfaceType): InterfaceField => `${type}_interface`;

export type JsonObject = Readonly<Record<string, unknown>>;

/** What clients may set, under the API's own names (contract: node-api.md §1). Secrets are sealed values. */
export interface NodeFields extends Readonly<Record<InterfaceField, string>> {
  readonly name: string | null;
  readonly driver: string;
  readonly driver_info: JsonObject;
  readonly properties: JsonObject;
  readonly extra: JsonObject;
  readonly instance_info: JsonObject;
  readonly instance_uuid: string | null;
  readonly instance_name: string | null;
  readonly chassis_uuid: string | null;
  readonly resource_class: string | null;
  readonly conductor_group: string;
  readonly owner: string | null;
  readonly lessee: string | null;
  readonly description: string | null;
  readonly shard: string | null;
  readonly parent_node: string | null;
  readonly network_data: JsonObject;
  readonly automated_clean: boolean | null;
  readonly disable_power_off: boolean | null;
  readonly protected: boolean;
  readonly protected_reason: string | null;
  readonly retired: boolean;
  readonly retired_reason: string | null;
  readonly maintenance: boolean;
  readonly maintenance_reason: string | null;
  readonly fault: string | null;
}

/** Values of a node whose creator named only its driver; the interfaces come from the hardware type. */
export const fieldDefaults: Omit<NodeFields, 'driver' | InterfaceField> = {
  name: null,
  driver_info: {},
  properties: {},
  extra: {},
  instance_info: {},
  instance_uuid: null,
  instance_name: null,
  chassis_uuid: null,
  resource_class: null,
  conductor_group: '',
  owner: null,
  lessee: null,
  description: null,
  shard: null,
  parent_node: null,
  network_data: {},
  automated_clean: null,
  disable_power_off: false,
  protected: false,
  protected_reason: null,
  retired: false,
  retired_reason: null,
  maintenance: false,
  maintenance_reason: null,
  fault: null,
};
