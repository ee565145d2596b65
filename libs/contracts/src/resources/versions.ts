/**
 * Version gates that are no field and no endpoint.
 * contract: microversions.json
 */
import { ruleVersions } from '@lib/domain';

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

/** Filters that the list of nodes in detail does not hold to their version (contract: node-api.md §5). */
export const uncheckedInDetail: ReadonlySet<string> = new Set(['include_children', 'parent_node']);

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

/** What a version later than the first understands, and how a request below it is answered. */
export interface ArgumentGate {
  readonly min: number;
  readonly below: 400 | 406;
  /** As the refusal names it. */
  readonly what: string;
}

const gate = (min: number, below: 400 | 406, what: string): ArgumentGate => ({ min, below, what });

/**
 * Arguments of requests, keys inside of them, and combinations of them. Where they mean nothing without a verb, a field
 * or an endpoint of their own, that one's version decides.
 */
export const argumentGates = {
  nodeName: gate(5, 406, 'the name of a node instead of its UUID'),
  fields: gate(8, 406, 'the argument fields'),
  chassisRemoval: gate(25, 406, 'taking a node out of its chassis'),
  softPower: gate(27, 406, 'a soft power target or a timeout'),
  driverType: gate(30, 406, 'the argument type of the list of drivers'),
  driverDetail: gate(30, 406, 'the argument detail of the list of drivers'),
  configdriveRebuild: gate(35, 400, 'the argument configdrive with the target rebuild'),
  detail: gate(43, 400, 'the argument detail'),
  resetInterfaces: gate(45, 406, 'the argument reset_interfaces'),
  configdriveObject: gate(56, 400, 'a configdrive object'),
  allocationNode: gate(58, 400, 'the field node of an allocation'),
  configdriveVendorData: gate(59, 400, 'vendor_data in a configdrive'),
  networkType: gate(64, 406, 'local_link_connection/network_type'),
  deploySteps: gate(69, 406, 'the argument deploy_steps'),
  cleanDisableRamdisk: gate(70, 406, 'the argument disable_ramdisk with the target clean'),
  biosDetail: gate(74, 400, 'the argument detail of BIOS settings'),
  biosFields: gate(74, 400, 'the argument fields of BIOS settings'),
  driverFields: gate(77, 406, 'the argument fields of drivers'),
  runbook: gate(92, 406, 'the argument runbook'),
  portNodeIdent: gate(94, 406, 'the field node_ident of a port'),
  serviceDisableRamdisk: gate(108, 406, 'the argument disable_ramdisk with the target service'),
} as const satisfies Readonly<Record<string, ArgumentGate>>;

/** Arguments of a heartbeat; 400 below. `agent_token` is taken, and demanded, at every version. */
export const heartbeatArguments: Readonly<Record<string, number>> = {
  callback_url: 22,
  agent_version: 36,
  agent_token: 22,
  agent_verify_ca: 68,
  agent_status: 72,
  agent_status_message: 72,
};

/** What a version does otherwise without that anything is refused below it. Each names what is so from there. */
export const since = {
  ...ruleVersions,
  names: 5,
  unreservedNames: 10,
  createInEnroll: 11,
  inspectWaitShown: 39,
  lookupToken: 62,
  vifPort: 67,
  firmwareValidation: 86,
  jsonSuffixIsIdent: 91,
  jsonPointerEscapes: 98,
} as const;

/** vtep keys of local_link_connection exist in these versions only; 406 outside of them. */
export const vtepVersions = { first: 90, last: 104 } as const;

/** Answered to ramdisks that post as to an inspector: at this very version and without node_uuid, whatever the endpoint's own. */
export const INSPECTOR_LIKE_MINOR = 1;
