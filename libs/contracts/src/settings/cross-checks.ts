import type { Settings } from './declaration';
import { type InterfaceType, interfaceTypes } from './hardware-names';

function defaultInterfaceProblem(type: InterfaceType, { DEFAULT }: Settings): string | undefined {
  const chosen = DEFAULT[`default_${type}_interface`];
  const enabled = DEFAULT[`enabled_${type}_interfaces`];
  if (chosen === null || enabled.includes(chosen)) return undefined;
  return `[DEFAULT] default_${type}_interface: "${chosen}" is not among enabled_${type}_interfaces (${enabled.join(', ')})`;
}

/** What no option can see alone. */
export function crossProblems(settings: Settings): readonly string[] {
  const problems = interfaceTypes.map((type) => defaultInterfaceProblem(type, settings));
  const { heartbeat_interval: interval, heartbeat_timeout: timeout } = settings.conductor;
  if (timeout <= interval) {
    problems.push(
      `[conductor] heartbeat_timeout: ${timeout} is not more than heartbeat_interval (${interval}); the conductor would count as offline`,
    );
  }
  return problems.filter((problem) => problem !== undefined);
}
