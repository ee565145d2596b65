import {
  type BootedWith,
  type FleetOptions,
  type HookOptions,
  type Introspection,
  type IntrospectionRule,
  type InventoryTemplate,
  notFound,
  type Script,
} from '@lib/domain/introspection';
import type { Chance, Clock, Instant, Logger, LogShelf } from '@lib/ports';
import type { BareMetalApi, NodeDiscovery } from './bare-metal-api';
import { type DocumentShelf, KeptDocuments } from './kept-documents';
import { NodeLocks } from './node-locks';
import { Turns } from './turns';

export interface InspectorOptions {
  /** A run that is open for longer ends with "Introspection timeout"; 0 or less: never. */
  readonly timeoutMs: number;
  /** 0 switches both the timeout and the sync with the API off. */
  readonly cleanUpPeriodMs: number;
  readonly canManageBoot: boolean;
  /** From one reboot to the next, so that a rack does not draw its current all at once; absent: no pause. */
  readonly introspectionDelayMs?: number;
  /** Power the machine off at the end of a run whose boot the inspector manages. */
  readonly powerOff: boolean;
  readonly storeData: boolean;
  /** Logs of ramdisks whose data was taken are kept as well, not only those of the others. */
  readonly alwaysKeepLogs?: boolean;
  /** Nodes in `active` and `rescue` may be introspected, and may send data without a start. */
  readonly permitActive?: boolean;
  /** Driver of the nodes that are made of machines that nobody knows; null or absent: none are made. */
  readonly enrollDriver?: string | null;
  /** Largest page of the list. */
  readonly listMax: number;
  readonly hooks: HookOptions;
  /** Scripts by weight for nodes that name none themselves; null: such nodes are left alone. */
  readonly fleet: FleetOptions | null;
  readonly inventories: readonly InventoryTemplate[];
  /** How often a `late` ramdisk looks whether the inspection of its node has ended. */
  readonly latePollMs: number;
}

/** The machine of a scripted run, once it has booted. */
export interface Machine {
  /** MACs of the node's ports, the one it boots from first. */
  readonly macs: readonly string[];
  readonly bmcAddress: string | null;
  readonly bootInterface: string;
  /** What its boot file says; null: it was booted by the inspector or by hand, and posts here. */
  readonly booted: BootedWith | null;
}

/** What the ramdisk of a scripted run does next: look for its boot file, play its script, or post (once more). */
export type RamdiskJob = { readonly due: Instant } & (
  | { readonly kind: 'boot' }
  | { readonly kind: 'play' }
  | { readonly kind: 'send'; readonly note: string; readonly tried: number }
);

/** A scripted run of a node. */
export interface Plan {
  readonly run: number;
  readonly script: Script;
  abortsSeen: number;
  statusesSeen: number;
  datasSeen: number;
  machine: Machine | null;
  jobs: readonly RamdiskJob[];
}

/** The asker's attempt that a node's last start belongs to, where it was given. */
export interface KnownAttempt {
  readonly attempt: number;
  readonly run: number;
}

/** All that is known of one node, as it outlives the process. */
export interface KeptNode {
  /** Null: a node whose starts were refused by its script, or whose row was lost by its script. */
  readonly row: Introspection | null;
  readonly plan: Plan | null;
  readonly attempt: KnownAttempt | null;
  readonly startsSeen: number;
}

/** What an inspector knew when its process ended, and where it goes on keeping it (contract: inspector-api.md §6, restart). */
export interface InspectorMemory {
  readonly nodes: readonly (readonly [uuid: string, KeptNode])[];
  readonly rules: readonly IntrospectionRule[];
  readonly shelf: DocumentShelf;
}

export interface BootedMachines {
  /** What the machine's loader finds for its MACs; null: nothing, so it was booted by hand. */
  bootFile(bootInterface: string, macs: readonly string[]): Promise<string | null>;
  /** Status of the answer; rejects where nobody can be reached. `overMs`: how long the sending takes. */
  post(url: string, body: string, overMs: number): Promise<number | 'timed out'>;
}

/** On whose behalf the Bare Metal API is asked. What a caller is, is nothing that this room looks at. */
export interface Callers<Caller = unknown> {
  /** Of the request that runs now, and of what runs behind its answer; null: nobody, or unknown. */
  current(): Caller | null;
  as<T>(caller: Caller, job: () => T): T;
}

export interface InspectorParts {
  readonly api: BareMetalApi;
  /** Absent: data of machines that nobody has started is refused. */
  readonly discovery?: NodeDiscovery;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  /** Addresses of a BMC's host name; empty when it has none. */
  readonly resolveHost: (host: string) => Promise<readonly string[]>;
  /** How machines that somebody else boots load their ramdisk and reach its callback; absent: all post here directly. */
  readonly machines?: BootedMachines;
  /** Absent: logs of ramdisks are dropped. */
  readonly logs?: LogShelf;
  /** Absent: a restart forgets everything, as an inspector that lost its cache. */
  readonly memory?: InspectorMemory;
  /** Absent: the API is asked in nobody's name. */
  readonly callers?: Callers;
  readonly options: InspectorOptions;
}

const NODE_PREFIX = 'introspection/';
const RULES = 'rules';

/** The documents of a shelf as what an inspector knew; other documents are somebody else's. */
export const inspectorMemoryFrom = (
  documents: ReadonlyMap<string, unknown>,
  shelf: DocumentShelf,
): InspectorMemory => ({
  nodes: [...documents]
    .filter(([name]) => name.startsWith(NODE_PREFIX))
    .map(([name, node]) => [name.slice(NODE_PREFIX.length), node as KeptNode] as const),
  rules: (documents.get(RULES) ?? []) as readonly IntrospectionRule[],
  shelf,
});

/** Everything the inspector knows. It works in memory; with a shelf each change is kept there before it is answered. */
export class InspectorRoom {
  readonly rows = new Map<string, Introspection>();
  readonly plans = new Map<string, Plan>();
  readonly attempts = new Map<string, KnownAttempt>();
  /** Starts since the last one that was taken, of nodes whose script refuses some. */
  readonly startsSeen = new Map<string, number>();
  readonly locks = new NodeLocks();
  readonly kept: KeptDocuments;
  readonly turns: Turns;
  rules: readonly IntrospectionRule[];
  /** Jobs under way behind a 202; `stop` waits for them. */
  readonly jobs = new Set<Promise<void>>();
  /** Who started each node's run. In memory alone: a caller is known by a secret. */
  private readonly starters = new Map<string, { readonly run: number; readonly caller: unknown }>();
  private lastRun = 0;

  constructor(readonly parts: InspectorParts) {
    const { memory, logger } = parts;
    this.turns = new Turns(parts.clock, parts.options.introspectionDelayMs ?? 0);
    this.kept = new KeptDocuments(memory?.shelf ?? null, logger);
    this.rules = memory?.rules ?? [];
    for (const [uuid, node] of memory?.nodes ?? []) this.remember(uuid, node);
  }

  private remember(uuid: string, { row, plan, attempt, startsSeen }: KeptNode): void {
    if (row) this.rows.set(uuid, row);
    if (plan) this.plans.set(uuid, plan);
    if (attempt) this.attempts.set(uuid, attempt);
    if (startsSeen > 0) this.startsSeen.set(uuid, startsSeen);
    this.lastRun = Math.max(this.lastRun, row?.run ?? 0, plan?.run ?? 0);
  }

  /** What is known of the node has changed and is to be kept. */
  touched(uuid: string): void {
    this.kept.touch(`${NODE_PREFIX}${uuid}`, () => {
      const [row, plan, attempt, startsSeen] = [this.rows, this.plans, this.attempts, this.startsSeen].map(
        (known) => known.get(uuid) ?? null,
      );
      const known = row ?? plan ?? attempt ?? startsSeen ?? null;
      return known === null ? null : { row, plan, attempt, startsSeen: startsSeen ?? 0 };
    });
  }

  /** Whoever asks now has started the run: its ramdisk, which has no name, is served in theirs (inspector-api.md §1). */
  startedByCaller(uuid: string, run: number): void {
    const caller = this.parts.callers?.current() ?? null;
    this.starters.delete(uuid);
    if (caller !== null) this.starters.set(uuid, { run, caller });
  }

  /** In the caller's name, else in that of who started this run, else (no run) of whoever started one last. */
  onBehalf<T>(row: Introspection | null, job: () => T): T {
    const { callers } = this.parts;
    const starter = row ? this.starters.get(row.uuid) : [...this.starters.values()].at(-1);
    if (!callers || callers.current() !== null || !starter || (row && row.run !== starter.run)) return job();
    return callers.as(starter.caller, job);
  }

  setRules(rules: readonly IntrospectionRule[]): void {
    this.rules = rules;
    this.kept.touch(RULES, () => this.rules);
  }

  /** Nothing is known of the node any more. */
  forget(uuid: string): void {
    for (const known of [this.rows, this.plans, this.attempts, this.startsSeen, this.starters]) known.delete(uuid);
    this.touched(uuid);
  }

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
    this.touched(row.uuid);
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
