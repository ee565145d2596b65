import { lookup } from 'node:dns/promises';
import type {
  Chance,
  Clock,
  HardwareRegistry,
  InspectInterface,
  Logger,
  ManagementInterface,
  MessageBus,
  PowerInterface,
} from '@lib/ports';
import { fakeInspect, fakeManagement, fakePower, noopManagement } from '../hardware-fake';
import type { InspectDelay } from '../hardware-fake';
import { refusingInspect, refusingManagement, refusingPower } from '../hardware-refusing';
import { agentInterface } from '../inspect-agent';
import { inspectorInterface } from '../inspect-inspector';
import type { ResolveHost } from '../inspect-inspector';
import { validateAll } from './validate-all';

export interface HardwareOptions {
  /** `[fake] inspect_delay`. */
  readonly inspectDelay: InspectDelay;
  /** `[inspector] timeout`: longest time of one call to the inspector. */
  readonly inspectorTimeoutMs: number;
  /** `[inspector] require_managed_boot`. */
  readonly requireManagedBoot: boolean | null;
}

export interface HardwareRegistryDeps {
  readonly bus: MessageBus;
  /** Prefix of the bus subjects. */
  readonly prefix: string;
  readonly settings: HardwareOptions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  /** The system's resolver unless given. */
  readonly resolveHost?: ResolveHost;
}

const systemResolver: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

function inspectInterfaces(deps: HardwareRegistryDeps): ReadonlyMap<string, InspectInterface> {
  const { bus, prefix, settings, clock, chance, logger, resolveHost = systemResolver } = deps;
  const { inspectDelay, inspectorTimeoutMs: timeoutMs, requireManagedBoot } = settings;
  const inspector = inspectorInterface({ bus, prefix, timeoutMs, clock, requireManagedBoot, resolveHost, logger });
  return new Map([
    ['fake', fakeInspect(inspectDelay, clock, chance)],
    ['inspector', inspector],
    ['agent', agentInterface({ requireManagedBoot, resolveHost, clock, logger, power, management })],
  ]);
}

const powerInterfaces: ReadonlyMap<string, PowerInterface> = new Map([['fake', fakePower]]);

const managementInterfaces: ReadonlyMap<string, ManagementInterface> = new Map([
  ['fake', fakeManagement],
  ['noop', noopManagement],
]);

const power = (name: string): PowerInterface => powerInterfaces.get(name) ?? refusingPower(name);
const management = (name: string): ManagementInterface => managementInterfaces.get(name) ?? refusingManagement(name);

/**
 * The interfaces that this release serves. A name that is known but not served, or was served by another release that
 * created the node, gets an interface that refuses every call.
 */
export function openHardwareRegistry(deps: HardwareRegistryDeps): HardwareRegistry {
  const inspects = inspectInterfaces(deps);
  const registry: HardwareRegistry = {
    inspect: (name) => inspects.get(name) ?? refusingInspect(name),
    power,
    management,
    validateAll: (machine, interfaces) => validateAll(machine, interfaces, registry),
  };
  return registry;
}
