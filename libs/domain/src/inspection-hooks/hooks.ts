import type { JsonObject } from '../node/fields';
import { accelerators } from './accelerators';
import { bootMode, cpuCapabilities } from './capability-hooks';
import { extraHardware } from './extra-hardware';
import { validateInterfaces } from './interfaces';
import { localLinkConnection, parseLldp } from './lldp-hooks';
import { pciDevices } from './pci-devices';
import { physicalNetwork } from './physical-network';

import { ports } from './ports';
import { raidDevice } from './raid-device';
import { rootDevice } from './root-device';
import { cpus, memory } from './sizes';
import { HookFailure } from './types';
import type { Hook, HookInput, NicSets, PortFacts, Progress } from './types';

/** The ramdisk tells of its own failure; its text is kept as it came. */
const ramdiskError: Hook = {
  after: [],
  preprocess(progress) {
    const { error } = progress.pluginData;
    if (error) throw new HookFailure(`ramdisk-error: the ramdisk reported error: ${textOf(error)}`);
    return progress;
  },
};

/** Longer than any story of a ramdisk; whoever posts more fills our log with it. */
const ERROR_CHARS_MAX = 16_384;

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, ERROR_CHARS_MAX);

const architecture: Hook = {
  after: [],
  main(progress, { inventory }) {
    const { cpu } = inventory;
    const found = typeof cpu === 'object' && cpu !== null ? Reflect.get(cpu, 'architecture') : undefined;
    if (typeof found !== 'string' || found === '') {
      throw new HookFailure('architecture: the inventory has no CPU architecture');
    }
    return { ...progress, properties: { ...progress.properties, cpu_arch: found } };
  },
};

/** Every hook of this release under its name in `[inspector] hooks`. */
export const inspectionHooks: ReadonlyMap<string, Hook> = new Map([
  ['ramdisk-error', ramdiskError],
  ['validate-interfaces', validateInterfaces],
  ['ports', ports],
  ['architecture', architecture],
  ['accelerators', accelerators],
  ['boot-mode', bootMode],
  ['cpu-capabilities', cpuCapabilities],
  ['cpus', cpus],
  ['extra-hardware', extraHardware],
  ['local-link-connection', localLinkConnection],
  ['memory', memory],
  ['parse-lldp', parseLldp],
  ['pci-devices', pciDevices],
  ['physical-network', physicalNetwork],
  ['raid-device', raidDevice],
  ['root-device', rootDevice],
]);

/** `[inspector] default_hooks` as it ships. */
export const defaultHooks: readonly string[] = ['ramdisk-error', 'validate-interfaces', 'ports', 'architecture'];

/** Their names. */
export const hookNames: readonly string[] = [...inspectionHooks.keys()];

/** What is wrong with a list of hooks, null when they can run in this order. */
export function hooksProblem(names: readonly string[]): string | null {
  for (const [at, name] of names.entries()) {
    const hook = inspectionHooks.get(name);
    if (!hook) return `"${name}" is no hook that this release knows (known: ${hookNames.join(', ')})`;
    const missing = hook.after.find((needed) => !names.slice(0, at).includes(needed));
    if (missing !== undefined) return `the hook ${name} needs ${missing} before it`;
  }
  return null;
}

export type HooksResult =
  | {
      readonly ok: true;
      readonly pluginData: JsonObject;
      readonly properties: JsonObject;
      /** NICs whose ports are to be brought in line; null when the hook `ports` does not run. */
      readonly ports: NicSets | null;
      /** What was found out about ports, by the MAC in lower case. */
      readonly facts: ReadonlyMap<string, PortFacts>;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Both passes over the data (contract: inspection.md §7): all complaints of the first, the first one of the second. */
export function runHooks(names: readonly string[], pluginData: JsonObject, input: HookInput): HooksResult {
  const hooks = names.map((name) => inspectionHooks.get(name)).filter((hook) => hook !== undefined);
  let progress: Progress = {
    pluginData,
    properties: {},
    nics: null,
    wantsPorts: false,
    facts: new Map(),
    warnings: [],
  };
  const complaints: string[] = [];
  for (const { preprocess } of hooks) {
    const next = attempted(() => preprocess?.(progress, input) ?? progress);
    if (typeof next === 'string') complaints.push(next);
    else progress = next;
  }
  if (complaints.length > 0) return { ok: false, reason: complaints.join('\n') };
  for (const { main } of hooks) {
    const next = attempted(() => main?.(progress, input) ?? progress);
    if (typeof next === 'string') return { ok: false, reason: next };
    progress = next;
  }
  const { nics, wantsPorts, ...rest } = progress;
  return {
    ok: true,
    pluginData: rest.pluginData,
    properties: rest.properties,
    facts: rest.facts,
    warnings: rest.warnings,
    ports: wantsPorts ? nics : null,
  };
}

/** A hook's own refusal as text; what else it throws is a bug. */
function attempted(run: () => Progress): Progress | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof HookFailure) return error.message;
    throw error;
  }
}
