import { Refusal } from '../refusal';
import { interfaceField, interfaceTypes } from '../node/fields';
import type { InterfaceField, InterfaceType } from '../node/fields';
import type { HardwareType } from './types';

/** What a conductor's settings enable (`enabled_<type>_interfaces`, `default_<type>_interface`). */
export interface EnabledInterfaces {
  readonly enabled: Readonly<Record<InterfaceType, readonly string[]>>;
  readonly defaults: Readonly<Record<InterfaceType, string | null>>;
}

const suits = (type: HardwareType, kind: InterfaceType, name: string, { enabled }: EnabledInterfaces): boolean =>
  enabled[kind].includes(name) && (type.acceptsAny || type.supports[kind].includes(name));

/** The default of a kind for a hardware type; null when nothing enabled suits. */
export function defaultInterface(type: HardwareType, kind: InterfaceType, settings: EnabledInterfaces): string | null {
  const configured = settings.defaults[kind];
  if (configured !== null && suits(type, kind, configured, settings)) return configured;
  return type.supports[kind].find((name) => settings.enabled[kind].includes(name)) ?? null;
}

/** Enabled interfaces that the hardware type supports, sorted (contract: other-resources.md §7). */
export const enabledFor = (
  type: HardwareType,
  kind: InterfaceType,
  { enabled }: EnabledInterfaces,
): readonly string[] => type.supports[kind].filter((name) => enabled[kind].includes(name)).sort();

function checked(type: HardwareType, kind: InterfaceType, name: string, settings: EnabledInterfaces): string {
  if (suits(type, kind, name, settings)) return name;
  const valid = type.acceptsAny ? settings.enabled[kind] : enabledFor(type, kind, settings);
  const text = settings.enabled[kind].includes(name)
    ? `${kind} interface "${name}" is not supported by hardware type "${type.name}".`
    : `Could not find the ${kind} interface "${name}". Valid interfaces are: ${valid.join(', ')}.`;
  throw new Refusal('INVALID_INTERFACE', text);
}

/**
 * The 13 interfaces of a node: those asked for, checked, and defaults for the rest (contract: node-api.md §3).
 * `requested` holds a name or null for each kind.
 */
export function chooseInterfaces(
  type: HardwareType,
  requested: Readonly<Partial<Record<InterfaceField, string | null>>>,
  settings: EnabledInterfaces,
): Record<InterfaceField, string> {
  const chosen = interfaceTypes.map((kind) => {
    const name = requested[interfaceField(kind)] ?? null;
    const value = name === null ? defaultInterface(type, kind, settings) : checked(type, kind, name, settings);
    if (value === null) {
      throw new Refusal(
        'INVALID_INTERFACE',
        `No ${kind} interface is enabled that hardware type "${type.name}" supports.`,
      );
    }
    return [interfaceField(kind), value];
  });
  return Object.fromEntries(chosen) as Record<InterfaceField, string>;
}
