import { hardwareTypes, hooksProblem, interfacesOf } from '@lib/domain';
import type { HardwareTypes } from '@lib/domain';
import type { Settings } from './declaration';
import { DEFAULT_HOOKS } from './sections/inspection';
import { type InterfaceType, interfaceTypes } from './hardware-names';

function defaultInterfaceProblem(type: InterfaceType, { DEFAULT }: Settings): string | undefined {
  const chosen = DEFAULT[`default_${type}_interface`];
  const enabled = DEFAULT[`enabled_${type}_interfaces`];
  if (chosen === null || enabled.includes(chosen)) return undefined;
  return `[DEFAULT] default_${type}_interface: "${chosen}" is not among enabled_${type}_interfaces (${enabled.join(', ')})`;
}

/** The hooks in force, in their order. */
export const hooksInForce = ({ inspector }: Settings): readonly string[] => [
  ...new Set(inspector.hooks.flatMap((name) => (name === DEFAULT_HOOKS ? inspector.default_hooks : [name]))),
];

function hooksProblemOf(settings: Settings): string | undefined {
  const problem = hooksProblem(hooksInForce(settings));
  return problem === null ? undefined : `[inspector] hooks: ${problem}`;
}

function redfishHooksProblemOf({ redfish }: Settings): string | undefined {
  const problem = hooksProblem(redfish.inspection_hooks);
  return problem === null ? undefined : `[redfish] inspection_hooks: ${problem}`;
}

/** Credentials are complete, and go nowhere but to an inspector that was named. */
function inspectorPeerProblem({ inspector }: Settings): string | undefined {
  const { auth_type: type, endpoint_override: endpoint, username, password, token } = inspector;
  if (type === 'none') return undefined;
  if (endpoint === null) return `[inspector] auth_type: ${type} is of no use without endpoint_override`;
  if (type === 'admin_token') return token === null ? '[inspector] token: admin_token needs it' : undefined;
  return username === null || password === null ? '[inspector] http_basic needs username and password' : undefined;
}

function discoveryProblem({ auto_discovery: { enabled, driver }, DEFAULT }: Settings): string | undefined {
  if (!enabled) return undefined;
  if (driver === null) return '[auto_discovery] enabled needs driver';
  const types = DEFAULT.enabled_hardware_types;
  if (types.includes(driver)) return undefined;
  return `[auto_discovery] driver: "${driver}" is not among enabled_hardware_types (${types.join(', ')})`;
}

function simulatorProblem({
  simulator: { auth_strategy: strategy, auth_url: authUrl, username, password },
}: Settings): string | undefined {
  if (strategy === 'keystone') return authUrl === null ? '[simulator] keystone needs auth_url' : undefined;
  if (strategy === 'noauth' || (username !== null && password !== null)) return undefined;
  return '[simulator] http_basic needs username and password';
}

/** What no option can see alone, and what stops the start. */
export function crossProblems(settings: Settings): readonly string[] {
  const problems = interfaceTypes.map((type) => defaultInterfaceProblem(type, settings));
  problems.push(hooksProblemOf(settings), redfishHooksProblemOf(settings), inspectorPeerProblem(settings));
  problems.push(simulatorProblem(settings), discoveryProblem(settings));
  const { heartbeat_interval: interval, heartbeat_timeout: timeout } = settings.conductor;
  if (timeout <= interval) {
    problems.push(
      `[conductor] heartbeat_timeout: ${timeout} is not more than heartbeat_interval (${interval}); the conductor would count as offline`,
    );
  }
  return problems.filter((problem) => problem !== undefined);
}

/** Names that nobody brings, once the extensions are known. */
export function hardwareProblems({ DEFAULT }: Settings, types: HardwareTypes): readonly string[] {
  const unknown = (option: string, noun: string, names: readonly string[], known: readonly string[]): string[] =>
    names
      .filter((name) => !known.includes(name))
      .map((name) => `[DEFAULT] ${option}: "${name}" is no ${noun} that this release or its extensions know`);
  return [
    ...unknown('enabled_hardware_types', 'hardware type', DEFAULT.enabled_hardware_types, [...types.keys()]),
    ...interfaceTypes.flatMap((type) =>
      unknown(
        `enabled_${type}_interfaces`,
        `${type} interface`,
        DEFAULT[`enabled_${type}_interfaces`],
        interfacesOf(type, types),
      ),
    ),
  ];
}

/**
 * An enabled hardware type without an enabled interface of some kind: its nodes are refused unless each names one. What
 * extensions bring is not known before they are loaded.
 */
export function crossWarnings({ DEFAULT }: Settings, types: HardwareTypes = hardwareTypes): readonly string[] {
  return DEFAULT.enabled_hardware_types.flatMap((name) =>
    interfaceTypes.flatMap((type) => {
      const supported = types.get(name)?.supports[type] ?? null;
      if (supported === null) return [];
      if (DEFAULT[`enabled_${type}_interfaces`].some((each) => supported.includes(each))) return [];
      return [
        `[DEFAULT] enabled_${type}_interfaces: none of them fits the hardware type ${name} (it supports ${supported.join(', ')})`,
      ];
    }),
  );
}
