import type { JsonObject } from '../node/fields';
import { listAt, objectAt, textAt } from '../introspection/json';
import { withCapabilities } from './capabilities';
import { HookFailure } from './types';
import type { Hook, HookInput, Progress } from './types';

/** The progress with these capabilities set; those of earlier hooks and of the node stay. */
export function withCapabilitiesSet(
  hook: string,
  progress: Progress,
  { properties = {} }: HookInput,
  added: readonly (readonly [name: string, value: string])[],
): Progress {
  if (added.length === 0) return progress;
  const before: JsonObject = { ...properties, ...progress.properties };
  const changed = withCapabilities(before, added);
  if (typeof changed === 'string') throw new HookFailure(`${hook}: ${changed}`);
  return { ...progress, properties: { ...progress.properties, ...changed } };
}

/** How the machine was booted: `bios` or `uefi`. */
export const bootMode: Hook = {
  after: [],
  main(progress, input) {
    const mode = textAt(objectAt(input.inventory, 'boot'), 'current_boot_mode');
    if (mode !== null) return withCapabilitiesSet('boot-mode', progress, input, [['boot_mode', mode]]);
    return { ...progress, warnings: [...progress.warnings, 'boot-mode: the inventory has no boot mode'] };
  },
};

/** contract: config.md [inspector] cpu_capabilities */
export const defaultCpuCapabilities: Readonly<Record<string, string>> = {
  vmx: 'cpu_vt',
  svm: 'cpu_vt',
  aes: 'cpu_aes',
  pse: 'cpu_hugepages',
  pdpe1gb: 'cpu_hugepages_1g',
  smx: 'cpu_txt',
};

export const cpuCapabilities: Hook = {
  after: [],
  main(progress, input) {
    const flags = new Set(listAt(objectAt(input.inventory, 'cpu'), 'flags'));
    if (flags.size === 0) {
      return { ...progress, warnings: [...progress.warnings, 'cpu-capabilities: the inventory has no CPU flags'] };
    }
    const map = Object.entries(input.options.cpuCapabilities ?? defaultCpuCapabilities);
    const found = new Set(map.filter(([flag]) => flags.has(flag)).map(([, capability]) => capability));
    const added = [...found].map((capability) => [capability, 'true'] as const);
    return withCapabilitiesSet('cpu-capabilities', progress, input, added);
  },
};
