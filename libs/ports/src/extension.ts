import type { AddedHardwareType, InspectInterfaceFacts } from '@lib/domain';
import type { Chance, Clock } from './clock';
import type {
  ActingInterface,
  BootInterface,
  InspectInterface,
  LifecycleInterface,
  ManagementInterface,
  NetworkInterface,
  PartsInterface,
  PowerInterface,
  RaidInterface,
} from './hardware';
import type { Logger } from './logger';

/** Rises when an extension made for an earlier number would no longer do what it did. */
export const EXTENSION_API_VERSION = 1;

/** What a package exports that adds hardware types or interfaces (docs/extending.md). */
export interface Extension {
  readonly apiVersion: typeof EXTENSION_API_VERSION;
  /** Called once, at the start of a conductor, before it serves anybody. What it throws stops that start. */
  open(host: ExtensionHost): Contribution | Promise<Contribution>;
}

/** Time, chance and the log are handed in: an extension that keeps to them can be tested on a clock of its own. */
export interface ExtensionHost {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
}

export type ByName<T> = Readonly<Record<string, T>>;

/** What it can be asked for follows from the functions that it has; the rest is as `facts` say, or `never` and false. */
export interface ContributedInspect extends Omit<InspectInterface, 'facts'> {
  readonly facts?: Partial<Pick<InspectInterfaceFacts, 'powerOff' | 'takesData'>>;
}

export interface ContributedInterfaces {
  readonly inspect?: ByName<ContributedInspect>;
  readonly power?: ByName<PowerInterface>;
  readonly management?: ByName<ManagementInterface>;
  /** What a management interface of that name offers beside boot devices. */
  readonly managementActs?: ByName<ActingInterface>;
  readonly boot?: ByName<BootInterface>;
  readonly network?: ByName<NetworkInterface>;
  readonly deploy?: ByName<LifecycleInterface>;
  readonly rescue?: ByName<LifecycleInterface>;
  readonly console?: ByName<ActingInterface>;
  readonly vendor?: ByName<ActingInterface>;
  readonly raid?: ByName<RaidInterface>;
  readonly bios?: ByName<PartsInterface>;
  readonly firmware?: ByName<PartsInterface>;
}

/** All parts may be absent. */
export interface Contribution {
  readonly hardwareTypes?: readonly AddedHardwareType[];
  readonly interfaces?: ContributedInterfaces;
  /** Interfaces that hardware types which exist support as well: `{"manual-management": {"inspect": ["rack"]}}`. */
  readonly supportedBy?: Readonly<Record<string, AddedHardwareType['supports']>>;
  /** Called when the conductor stops, after its last call of an interface. */
  stop?(): void | Promise<void>;
}
