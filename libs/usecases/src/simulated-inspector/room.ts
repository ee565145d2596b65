import {
  type FleetOptions,
  type HookOptions,
  type Introspection,
  type IntrospectionRule,
  type InventoryTemplate,
  notFound,
  type Script,
} from '@lib/domain/introspection';
import type { Chance, Clock, Logger } from '@lib/ports';
import type { BareMetalApi } from './bare-metal-api';
import { NodeLocks } from './node-locks';

export interface InspectorOptions {
  /** A run that is open for longer ends with "Introspection timeout"; 0 or less: never. */
  readonly timeoutMs: number;
  /** 0 switches both the timeout and the sync with the API off. */
  readonly cleanUpPeriodMs: number;
  readonly canManageBoot: boolean;
  /** Power the machine off at the end of a run whose boot the inspector manages. */
  readonly powerOff: boolean;
  readonly storeData: boolean;
  /** Largest page of the list. */
  readonly listMax: number;
  readonly hooks: HookOptions;
  /** Scripts by weight for nodes that name none themselves; null: such nodes are left alone. */
  readonly fleet: FleetOptions | null;
  readonly inventories: readonly InventoryTemplate[];
  /** How often a `late` ramdisk looks whether the inspection of its node has ended. */
  readonly latePollMs: number;
}

/** A scripted run of a node. */
export interface Plan {
  readonly run: number;
  readonly script: Script;
  abortsSeen: number;
  statusesSeen: number;
}

export interface BootedMachines {
  /** What the machine's loader finds for its MACs; null: nothing, so it was booted by hand. */
  bootFile(bootInterface: string, macs: readonly string[]): Promise<string | null>;
  /** Status of the answer. */
  post(url: string, body: string): Promise<number>;
}

export interface InspectorParts {
  readonly api: BareMetalApi;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  /** Addresses of a BMC's host name; empty when it has none. */
  readonly resolveHost: (host: string) => Promise<readonly string[]>;
  /** How machines that somebody else boots load their ramdisk and reach its callback; absent: all post here directly. */
  readonly machines?: BootedMachines;
  readonly options: InspectorOptions;
}

/** Everything the inspector knows, in memory: a restart forgets it, as the lost cache of the contract (§6). */
export class InspectorRoom {
  readonly rows = new Map<string, Introspection>();
  readonly plans = new Map<string, Plan>();
  /** The asker's attempt that each node's last start belongs to, where it was given. */
  readonly attempts = new Map<string, { readonly attempt: number; readonly run: number }>();
  /** Starts since the last one that was taken, of nodes whose script refuses some. */
  readonly startsSeen = new Map<string, number>();
  readonly locks = new NodeLocks();
  rules: readonly IntrospectionRule[] = [];
  /** Jobs under way behind a 202; `stop` waits for them. */
  readonly jobs = new Set<Promise<void>>();
  private lastRun = 0;

  constructor(readonly parts: InspectorParts) {}

  nextRun(): number {
    this.lastRun += 1;
    return this.lastRun;
  }

  /** @throws InspectorRefusal NOT_FOUND */
  row(uuid: string): Introspection {
    const row = this.rows.get(uuid);
    if (!row) throw notFound(`Node ${uuid} is not in the inspector's cache`);
    return row;
  }

  put(row: Introspection): Introspection {
    this.rows.set(row.uuid, row);
    return row;
  }

  /** Runs behind the answer; a failure is a line in the log, as nobody waits for it. */
  background(job: string, node: string, run: () => Promise<void>): void {
    const running: Promise<void> = run()
      .catch((error: unknown) => {
        this.parts.logger.warn({ node, error: String(error) }, `Background job "${job}" of the inspector gave up`);
      })
      .finally(() => this.jobs.delete(running));
    this.jobs.add(running);
  }
}
