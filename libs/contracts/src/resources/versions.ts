/**
 * Version gates that are no field and no endpoint.
 * contract: microversions.json
 */
export const MINOR_MIN = 1;
export const MINOR_MAX = 115;

/** Query arguments of the node lists and their first version. */
export const nodeQueryMin: Readonly<Record<string, number>> = {
  associated: 1,
  chassis_uuid: 1,
  instance_uuid: 1,
  maintenance: 1,
  marker: 1,
  limit: 1,
  sort_key: 1,
  sort_dir: 1,
  fields: 8,
  provision_state: 9,
  driver: 16,
  resource_class: 21,
  fault: 42,
  detail: 43,
  conductor_group: 46,
  conductor: 49,
  owner: 50,
  description_contains: 1,
  retired: 1,
  project: 1,
  lessee: 65,
  shard: 82,
  sharded: 82,
  include_children: 83,
  parent_node: 83,
  instance_name: 104,
};

/** Entries of the /v1 document. */
export const v1DocumentLinks: Readonly<Record<string, number>> = {
  chassis: 1,
  nodes: 1,
  ports: 1,
  drivers: 1,
  portgroups: 23,
  volume: 32,
  lookup: 22,
  heartbeat: 22,
  conductors: 49,
  allocations: 52,
  events: 54,
  deploy_templates: 55,
  shards: 82,
  continue_inspection: 84,
  runbooks: 92,
  inspection_rules: 96,
};

/** Values of provision_state that older clients are not shown; only output is rewritten, filters use the real names. */
export const shownStates: readonly { readonly below: number; readonly real: string; readonly shown: string | null }[] =
  [
    { below: 2, real: 'available', shown: null },
    { below: 39, real: 'inspect wait', shown: 'inspecting' },
  ];

/** Rules of the contract that one version switches on. Each names what is possible from there. */
export const since = {
  names: 5,
  fieldsQuery: 8,
  unreservedNames: 10,
  createInEnroll: 11,
  chassisRemoval: 25,
  softPower: 27,
  driverQueries: 30,
  configdriveRebuild: 35,
  inspectWaitShown: 39,
  abortInspectWait: 41,
  detailQuery: 43,
  resetInterfaces: 45,
  configdriveObject: 56,
  configdriveVendorData: 59,
  allocationBackfill: 58,
  allocationOwner: 60,
  networkType: 64,
  vifPort: 67,
  deploySteps: 69,
  cleanDisableRamdisk: 70,
  driverFieldsQuery: 77,
  jsonSuffixIsIdent: 91,
  runbookArgument: 92,
  portNodeIdent: 94,
  jsonPointerEscapes: 98,
  serviceDisableRamdisk: 108,
  firmwareValidation: 86,
  shard: 82,
  portgroup: 24,
  portgroupShard: 106,
} as const;

/** vtep keys of local_link_connection exist in these versions only. */
export const vtepVersions = { first: 90, last: 104 } as const;
