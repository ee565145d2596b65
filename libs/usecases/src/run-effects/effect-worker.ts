import { decide, isWishless, keepsAbortWaiting, stands } from '@lib/domain';
import type { Context, Effect, EffectOutcome, MachineSeen, Node, NodeEvent } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type {
  Call,
  Chance,
  ClaimedEffect,
  Clock,
  EffectLeases,
  EventReader,
  HardwareRegistry,
  Logger,
  LogShelf,
  OutgoingHttp,
  ReadModel,
  SecretBox,
  Timer,
} from '@lib/ports';
import { inspectFactsOf } from '../handle-command';
import type { ConductorOptions } from '../handle-command';
import { bootingMachineOf, machineOf } from '../machine';
import type { Committed, NodeCommits, Plan } from '../node-commits';
import { nodeStreamId, uuidOfStream } from '../node-streams';
import type { LoadedNode } from '../node-streams';
import { planPorts } from '../process-inspection';
import type { PortPlan } from '../process-inspection';
import { ClaimedAppends, pause } from './claimed-appends';
import { watchOver } from './give-way';
import { Lease } from './lease';
import { limitMs } from './limits';
import type { EffectLimits } from './limits';
import { nextStepsOf } from './next-steps';
import { onlyMade } from './pre-create-ports';
import type { MakePorts } from './pre-create-ports';
import { namingLogs, settleLogs } from './ramdisk-logs';
import { reasonOf } from './reason';
import { runTask } from './run-task';
import type { TaskResult } from './run-task';
import { withSecretsOpened } from './secrets-opened';
import { valueWithWarnings, warnOf } from './warnings';

export interface EffectWorkerDeps {
  readonly commits: NodeCommits;
  readonly leases: EffectLeases;
  readonly reader: EventReader;
  readonly readModel: ReadModel;
  readonly hardware: HardwareRegistry;
  readonly box: SecretBox;
  /** For the calls of inspection rules. */
  readonly outgoing: OutgoingHttp;
  /** For the logs of ramdisks. */
  readonly logShelf: LogShelf;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly options: ConductorOptions;
  readonly limits: EffectLimits;
  /** Identity of this process in the leases. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Effects at work at once. */
  readonly workersMax: number;
  /** `[conductor] on_restart`: what becomes of work that was begun under an earlier claim. `resume` unless given. */
  readonly takeOver?: 'resume' | 'fail';
}

/** Leases of a dead worker are looked for at least this often; everything else wakes the worker itself. */
const LOOK_MS = 1000;
/** Between two questions to a store that can not be read now. */
const STORE_PAUSE_MS = 250;

/** What the effect served no longer stands: nothing more is done to the hardware. */
class Cancelled extends Error {}

/** Claims open effects with a lease, runs them, and brings their outcomes back as commands (architecture, rule 5). */
export class EffectWorker {
  private running = new Set<Promise<void>>();
  /** Those of them that wait for other effects, which need workers as well. */
  private aside = 0;
  /** By effect: a process that stood still may find its own work free, and must not begin it twice. */
  private readonly held = new Map<string, Lease>();
  private timer: Timer | null = null;
  private claiming = false;
  private again = false;
  private stopped = false;

  private readonly appends: ClaimedAppends;

  constructor(private readonly deps: EffectWorkerDeps) {
    this.appends = new ClaimedAppends(deps, () => this.stopped);
  }

  start(): void {
    this.wake();
  }

  /** There may be new work. */
  wake(): void {
    this.again = true;
    if (!this.claiming && !this.stopped) void this.pump();
  }

  /** Takes no more; resolves when what runs has ended or `graceMs` have passed. Leases are given back. */
  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    const { clock, leases, owner } = this.deps;
    let patience: Timer | null = null;
    const graceOver = new Promise<void>((resolve) => {
      patience = clock.after(graceMs, resolve);
    });
    await Promise.race([Promise.allSettled([...this.running]), graceOver]);
    (patience as Timer | null)?.cancel();
    await leases.release(owner);
  }

  private async pump(): Promise<void> {
    this.claiming = true;
    this.timer?.cancel();
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        await this.claim();
      }
    } catch (error) {
      this.deps.logger.warn({ reason: reasonOf(error) }, 'effects can not be claimed now');
    } finally {
      this.claiming = false;
      if (!this.stopped) this.timer = this.deps.clock.after(LOOK_MS, () => this.wake());
    }
  }

  private async claim(): Promise<void> {
    const { leases, owner, clock, leaseMs, workersMax } = this.deps;
    const free = workersMax - (this.running.size - this.aside);
    if (free <= 0) return;
    const now = clock.now();
    const claims = await leases.claim(owner, now, leaseMs, free);
    // Stopped meanwhile: they are given back, and whoever gets them begins.
    if (this.stopped) return;
    for (const claimed of claims) {
      const known = this.held.get(keyOf(claimed));
      if (known && !known.lost) this.starved(claimed, known, now);
      else this.begin(claimed, new Lease(claimed, now, this.deps));
    }
  }

  private starved(claimed: ClaimedEffect, lease: Lease, now: number): void {
    lease.adopt(claimed, now);
    const fields = { node: uuidOfStream(claimed.stream), effect: claimed.n };
    this.deps.logger.warn(fields, 'this process stood still for longer than its lease; its work goes on');
  }

  private begin(claimed: ClaimedEffect, lease: Lease): void {
    const key = keyOf(claimed);
    this.held.set(key, lease);
    lease.keep();
    const work: Promise<void> = this.run(claimed, lease)
      .catch((error: unknown) => this.failed(claimed, error))
      .finally(() => {
        lease.end();
        if (this.held.get(key) === lease) this.held.delete(key);
        this.running.delete(work);
        this.wake();
      });
    this.running.add(work);
  }

  private failed({ stream, n }: ClaimedEffect, error: unknown): void {
    const fields = { node: uuidOfStream(stream), effect: n, reason: reasonOf(error) };
    this.deps.logger.error(fields, 'an effect ended without an outcome; it is tried again when its lease ends');
  }

  private async run(claimed: ClaimedEffect, lease: Lease): Promise<void> {
    const uuid = uuidOfStream(claimed.stream);
    const { stream } = await this.patiently(lease, () => this.deps.commits.streams.load(uuid, false));
    const effect = stream.node?.effects.find(({ n }) => n === claimed.n);
    if (!stream.node || !effect) return;
    const isBegun = claimed.claim > 1;
    if (isBegun && this.deps.takeOver === 'fail' && (await this.interrupted(effect, uuid, lease))) return;
    const { outcome, result } = await this.attempt(effect, stream.node, lease, isBegun);
    await this.report(effect, uuid, outcome, result, lease);
  }

  /** While the store can not be asked, nobody else can take the effect over: it is asked again, instead of giving up. */
  private async patiently<T>(lease: Lease, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof LogUnavailable) || lease.lost || this.stopped) throw error;
        await pause(STORE_PAUSE_MS, this.deps.clock);
      }
    }
  }

  /** Whether what an earlier claim had begun is failed instead of tried again (contract: inspection.md §9.4, RULE). */
  private async interrupted({ n }: Effect, uuid: string, lease: Lease): Promise<boolean> {
    const command = { type: 'Interrupt', cause: 'takeover', lost: { effect: n } } as const;
    const committed = await this.appends.commit(uuid, `effect ${n}, taken over`, lease, ({ stream }, context) => {
      const inspect = inspectFactsOf(stream.node, this.deps);
      return { events: decide({ ...command, inspect }, stream, context) };
    });
    return committed === null || committed.events.length > 0;
  }

  private async attempt(
    effect: Effect,
    node: Node,
    lease: Lease,
    isRepeated: boolean,
  ): Promise<{ outcome: EffectOutcome; result: TaskResult | null }> {
    const { hardware, box, clock, limits } = this.deps;
    let machine: MachineSeen | undefined;
    const abort = new AbortController();
    const limit = limitMs(effect.task, limits);
    let timer: Timer | null = null;
    const tooLong = new Promise<never>((_, reject) => {
      timer = clock.after(limit, () => {
        abort.abort();
        reject(new Error(`no answer within ${limit / 1000} seconds`));
      });
    });
    const call: Call = {
      signal: abort.signal,
      isRepeated,
      stillStands: () => this.patiently(lease, () => this.assertStands(effect, node.uuid, lease)),
      noticed: (seen) => (machine = seen),
    };
    lease.onLost = () => abort.abort();
    const watch = watchOver(effect, limits, clock, async () => {
      const now = await this.standing(effect, node.uuid);
      return now !== null && !keepsAbortWaiting(effect, now);
    });
    const broken = watch.givesWay.then(() => {
      abort.abort();
      throw new Cancelled();
    });
    const work = async (): Promise<TaskResult> => {
      await call.stillStands();
      // Only a start leads to the boot interface with the machine's ports.
      const seen = effect.task.kind === 'inspect' ? bootingMachineOf(node, this.deps) : machineOf(node, box);
      // Both at once: where the key is gone both fail, and one of the two failures would be nobody's.
      const [machineNow, opened] = await Promise.all([seen, withSecretsOpened(effect, box)]);
      const makePorts = this.makePorts(effect, node, lease);
      return runTask(opened, node, machineNow, hardware, call, {
        ...this.deps,
        makePorts,
        aside: (wait) => this.waitAside(wait),
      });
    };
    try {
      // The limit counts from here: a store that is slow to tell whether the effect stands is slow as well.
      const result = await Promise.race([work(), tooLong, broken]);
      return { outcome: { result: 'done', value: { ...valueWithWarnings(result), machine } }, result };
    } catch (error) {
      if (error instanceof Cancelled) return { outcome: { result: 'cancelled' }, result: null };
      return { outcome: { result: 'failed', reason: reasonOf(error), machine }, result: null };
    } finally {
      (timer as Timer | null)?.cancel();
      watch.end();
    }
  }

  /** What is to be there before the work goes on, in an append of its own under the same claim. */
  private makePorts(effect: Effect, node: Node, lease: Lease): MakePorts {
    return async (wishes) => {
      const { uuid } = node;
      const made = await this.appends.commit(
        uuid,
        `effect ${effect.n}, ports`,
        lease,
        async ({ stream, version }, { now }) => {
          if (!stream.node || !stands(effect, stream.node)) return { events: [] };
          const ports = await planPorts(uuid, wishes, onlyMade, now, this.deps);
          return { events: [], ...ports, guards: [{ stream: nodeStreamId(uuid), version }] };
        },
      );
      if (!made) throw new Cancelled();
      return (await bootingMachineOf(node, this.deps)).ports;
    };
  }

  private async assertStands(effect: Effect, uuid: string, lease: Lease): Promise<void> {
    if (!(await lease.holds()) || !(await this.standing(effect, uuid))) throw new Cancelled();
  }

  /** The node, while the effect is open and what it serves stands; else null. */
  private async standing(effect: Effect, uuid: string): Promise<Node | null> {
    const { node } = (await this.deps.commits.streams.load(uuid, false)).stream;
    const isOpen = node?.effects.some(({ n }) => n === effect.n) ?? false;
    return node && isOpen && stands(effect, node) ? node : null;
  }

  /** Ports that an inspection found go with its outcome, or not at all. */
  private async portsFor(
    uuid: string,
    events: readonly NodeEvent[],
    result: TaskResult | null,
    at: number,
  ): Promise<Partial<PortPlan>> {
    if (!events.some(({ type }) => foundBy.has(type)) || !result?.ports || isWishless(result.ports)) return {};
    return planPorts(uuid, result.ports, this.deps.options.inspection.hookOptions, at, this.deps);
  }

  private waitAside<T>(wait: () => Promise<T>): Promise<T> {
    this.aside += 1;
    this.wake();
    return wait().finally(() => (this.aside -= 1));
  }

  /** The outcome as a command. */
  private async report(
    { n, task }: Effect,
    uuid: string,
    outcome: EffectOutcome,
    result: TaskResult | null,
    lease: Lease,
  ): Promise<void> {
    let planned: EffectOutcome = outcome;
    const ended =
      (told: EffectOutcome, found: TaskResult | null) =>
      async ({ stream }: LoadedNode, context: Context): Promise<Plan> => {
        planned = told;
        const inspect = inspectFactsOf(stream.node, this.deps);
        const next = nextStepsOf(n, stream.node, this.deps.hardware);
        const named = namingLogs(told, task);
        const events = decide({ type: 'EndEffect', effect: n, outcome: named, inspect, ...next }, stream, context);
        const ports = await this.portsFor(uuid, events, found, context.now);
        return { events, blobs: found?.blobs, ...ports };
      };
    // Large things may find no room where an event does, and what rules set may be another's already: without them it has
    // failed, and no node waits for ever.
    const withoutFindings = (why: string) =>
      ended({ result: 'failed', reason: `what was found can not be stored: ${why}` }, null);
    const hasFindings = (result?.blobs ?? []).length > 0 || result?.value.ruledFields !== undefined;
    const plan = ended(outcome, result);
    const committed = await this.appends.commit(
      uuid,
      `effect ${n}`,
      lease,
      plan,
      hasFindings ? withoutFindings : undefined,
    );
    await this.dropUnusedKey(result, committed);
    if (committed) warnOf(uuid, committed.events, result, this.deps.logger);
    const isRecorded = committed !== null && committed.events.length > 0;
    await settleLogs(task, isRecorded ? planned : null, () => this.isGone(uuid), this.deps);
  }

  private async isGone(uuid: string): Promise<boolean> {
    return (await this.deps.commits.streams.load(uuid, false)).stream.node === null;
  }

  /** A key that was made for the node's first secret goes again when nothing was stored under it. */
  private async dropUnusedKey(result: TaskResult | null, committed: Committed | null): Promise<void> {
    const keyId = result?.value.keyId;
    if (keyId !== undefined && committed?.after.node?.keyId !== keyId) await this.deps.box.destroyKey(keyId);
  }
}

/** Events with which the findings of an inspection count. */
const foundBy: ReadonlySet<NodeEvent['type']> = new Set([
  'InspectionCleanUpStarted',
  'InspectionFinished',
  'DiscoveryFinished',
]);

const keyOf = ({ stream, n }: ClaimedEffect): string => `${stream} ${n}`;
