import type { EnabledInterfaces, HardwareTypes, Policy } from '@lib/domain';
import type {
  AgentCertificates,
  Chance,
  Clock,
  EventReader,
  HardwareRegistry,
  Logger,
  LogShelf,
  ReadModel,
  SecretBox,
  TransportBox,
} from '@lib/ports';
import type { Commits } from '../node-commits';
import type { InspectionOptions } from '../process-inspection';
import type { ConcurrencyOptions } from './concurrency';

/** What a conductor's settings mean for its commands. */
export interface ConductorOptions {
  /** `[DEFAULT] host`. */
  readonly host: string;
  readonly policy: Policy;
  /** Names of those that are enabled. */
  readonly hardwareTypes: readonly string[];
  /** Types that exist, with those of extensions; those that ship unless given. */
  readonly knownTypes?: HardwareTypes;
  readonly interfaces: EnabledInterfaces;
  readonly defaultResourceClass: string | null;
  readonly defaultConductorGroup: string;
  /** `[DEFAULT] default_portgroup_mode`. */
  readonly portgroupMode: string;
  /** How long a command waits for a reservation's release: attempts x interval (architecture, rule 11). */
  readonly releaseWaitMs: number;
  readonly concurrency: ConcurrencyOptions;
  readonly inspection: InspectionOptions;
}

export interface HandlerDeps {
  readonly commits: Commits;
  readonly reader: EventReader;
  readonly readModel: ReadModel;
  readonly box: SecretBox;
  /** Opens what the api sealed for the bus. */
  readonly transport: TransportBox;
  readonly hardware: HardwareRegistry;
  readonly certificates: AgentCertificates;
  /** For the logs of ramdisks. */
  readonly logShelf: LogShelf;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly options: ConductorOptions;
}
