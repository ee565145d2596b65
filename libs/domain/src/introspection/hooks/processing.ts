import { usableBmcAddresses } from '../addresses';
import type { LookupAttributes } from '../introspection';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../json';
import { invalid } from '../refusal';
import { cpuCapabilities, pciCapabilities, withCapabilities } from './capabilities';
import { nicFailure, nicSets, type NicSets } from './interfaces';
import type { HookOptions } from './options';
import { GIB, rootDisk } from './root-disk';

/** Key with which a scripted ramdisk asks for a run that fails after its node was found (script `error`). */
export const SCRIPTED_FAILURE_KEY = 'scripted_failure';

export interface Preprocessed {
  readonly data: JsonObject;
  readonly nics: NicSets;
  readonly attributes: LookupAttributes;
  readonly failures: readonly string[];
}

/** First pass: every hook looks at the data, all complaints are gathered (contract: inspector-api.md §3.7 step 1). */
export const preprocessData = (payload: JsonObject, options: HookOptions): Preprocessed => {
  const inventory = objectAt(payload, 'inventory');
  const nics = nicSets(payload, options);
  const [bmcV4, bmcV6] = [textAt(inventory, 'bmc_address'), textAt(inventory, 'bmc_v6address')];
  const macs = [...new Set([...nics.valid.values()].map((nic) => nic.mac))];
  const failures = [
    payload['error'] ? `ramdisk_error: the ramdisk reported an error: ${String(payload['error'])}` : null,
    nicFailure(payload, nics, options),
  ].filter((failure) => failure !== null);
  return {
    data: {
      ...payload,
      ipmi_address: bmcV4,
      ipmi_v6address: bmcV6,
      all_interfaces: Object.fromEntries(nics.all),
      interfaces: Object.fromEntries(nics.valid),
      macs,
    },
    nics,
    attributes: { macs, bmcAddresses: usableBmcAddresses(bmcV4, bmcV6) },
    failures,
  };
};

export interface Processed {
  readonly data: JsonObject;
  /** Node properties to write; texts, as the inspector writes them. */
  readonly properties: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

const schedulerFacts = (data: JsonObject, disk: JsonObject | null, options: HookOptions): Record<string, unknown> => {
  const inventory = objectAt(data, 'inventory');
  const sizeGib = Math.floor((numberAt(disk, 'size') ?? 0) / GIB);
  return {
    local_gb: Math.max(0, sizeGib - (options.diskPartitioningSpacing ? 1 : 0)),
    cpus: numberAt(objectAt(inventory, 'cpu'), 'count'),
    cpu_arch: textAt(objectAt(inventory, 'cpu'), 'architecture'),
    memory_mb: numberAt(objectAt(inventory, 'memory'), 'physical_mb'),
  };
};

/**
 * Second pass, in the default order: root disk, scheduler facts, capabilities, PCI devices; then the scripted failure.
 * A missing fact is a warning, never a failure (contract: inspector-api.md §3.5 (obs)).
 * @throws InspectorRefusal INVALID with the text that the run ends with.
 */
export const processData = (
  before: JsonObject,
  node: { readonly properties: Readonly<JsonObject> },
  options: HookOptions,
): Processed => {
  const disk = rootDisk(before, node.properties);
  const facts = Object.entries(schedulerFacts(before, disk, options));
  const known = facts.filter(([, value]) => value !== null);
  const added = [...cpuCapabilities(before), ...pciCapabilities(before, options.pciAliases)];
  const capabilities = withCapabilities(node.properties['capabilities'], added);
  return {
    data: { ...before, ...(disk ? { root_disk: disk } : {}), ...Object.fromEntries(known) },
    properties: {
      ...Object.fromEntries(known.map(([key, value]) => [key, String(value)])),
      ...(added.length > 0 ? { capabilities } : {}),
    },
    warnings: facts.filter(([, value]) => value === null).map(([key]) => `scheduler: the data holds no ${key}`),
  };
};

/** @throws InspectorRefusal INVALID when the script of the ramdisk wants this run to fail. */
export const failAsScripted = (data: JsonObject): void => {
  const wanted = data[SCRIPTED_FAILURE_KEY];
  if (typeof wanted === 'string' && wanted !== '') throw invalid(wanted);
};

/** `logs` are megabytes and never stored (contract: inspector-api.md §3.5). */
export const withoutLogs = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'logs'));

/** @throws InspectorRefusal INVALID: the body of a callback is an object. */
export const asPayload = (body: unknown): JsonObject => {
  if (!isObject(body)) throw invalid('Introspection data must be a JSON object');
  return body;
};
