import { decide, stands } from '@lib/domain';
import type { Effect, EffectOutcome, MachineSeen, Node, NodeEvent } from '@lib/domain';
import type {
  Call,
  Chance,
  ClaimedEffect,
  Clock,
  EffectLeases,
  EventReader,
  HardwareRegistry,
  Logger,
  ReadModel,
  SecretBox,
  Timer,
} from '@lib/ports';
import { inspectFactsOf } from '../handle-command';
import type { ConductorOptions } from '../handle-command';
import { machineOf } from '../machine';
import { OldNews } from '../node-commits';
import type { NodeCommits } from '../node-commits';
import { uuidOfStream } from '../node-streams';
import { planPorts } from '../process-inspection';
import type { PortPlan } from '../process-inspection';
import { limitMs } from './limits';
import type { EffectLimits } from './limits';
import { reasonOf } from './reason';
import { runTask } from './run-task';
import type { TaskResult } from './run-task';

export interface EffectWorkerDeps {
  readonly commits: NodeCommits;
  readonly leases: EffectLeases;
  readonly reader: EventReader;
  readonly readModel: ReadModel;
  readonly hardware: HardwareRegistry;
  readonly box: SecretBox;
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
}

/** Leases of a dead worker are looked for at least this often; everything else wakes the worker itself. */
const LOOK_MS = 1000;
const APPEND_TRIES_MAX = 5;
const WARNINGS_SHOWN_MAX = 50;

/** What the effect served no longer stands: nothing more is done to the hardware. */
class Cancelled extends Error {}

/** Claims open effects with a lease, runs them, and brings their outcomes back as commands (architecture, rule 5). */
export class EffectWorker {
  private running = new Set<Promise<void>>();
  private timer: Timer | null = null;
  private claiming = false;
  private again = false;
  private stopped = false;

  constructor(private readonly deps: EffectWorkerDeps) {}

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
    const free = workersMax - this.running.size;
    if (free <= 0) return;
    const claims = await leases.claim(owner, clock.now(), leaseMs, free);
    // Stopped meanwhile: they are given back, and whoever gets them begins.
    if (this.stopped) return;
    for (const claimed of claims) {
      const work: Promise<void> = this.run(claimed)
        .catch((error: unknown) => this.lost(claimed, error))
        .finally(() => {
          this.running.delete(work);
          this.wake();
        });
      this.running.add(work);
    }
  }

  private lost({ stream, n }: ClaimedEffect, error: unknown): void {
    const fields = { node: uuidOfStream(stream), effect: n, reason: reasonOf(error) };
    this.deps.logger.error(fields, 'an effect ended without an outcome; it is tried again when its lease ends');
  }

  private async run(claimed: ClaimedEffect): Promise<void> {
    const uuid = uuidOfStream(claimed.stream);
    const { stream } = await this.deps.commits.streams.load(uuid, false);
    const effect = stream.node?.effects.find(({ n }) => n === claimed.n);
    if (!stream.node || !effect) return;
    const keeper = this.keepLease(claimed);
    try {
      const { outcome, result } = await this.attempt(effect, stream.node);
      await this.report(claimed, uuid, outcome, result);
    } finally {
      keeper.cancel();
    }
  }

  private keepLease(claimed: ClaimedEffect): Timer {
    const { clock, leaseMs, leases, owner } = this.deps;
    let timer: Timer;
    let ended = false;
    const beat = (): void => {
      if (ended) return;
      void leases.renew(claimed, owner, clock.now() + leaseMs).catch(() => false);
      timer = clock.after(leaseMs / 3, beat);
    };
    timer = clock.after(leaseMs / 3, beat);
    return { cancel: () => ((ended = true), timer.cancel()) };
  }

  private async attempt(effect: Effect, node: Node): Promise<{ outcome: EffectOutcome; result: TaskResult | null }> {
    const { hardware, box, clock, limits, reader, options } = this.deps;
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
      stillStands: () => this.assertStands(effect, node.uuid),
      noticed: (seen) => (machine = seen),
    };
    const data = { reader, inspection: options.inspection };
    const work = async (): Promise<TaskResult> => {
      await call.stillStands();
      return runTask(effect, node, await machineOf(node, box), hardware, call, data);
    };
    try {
      // The limit counts from here: a store that is slow to tell whether the effect stands is slow as well.
      const result = await Promise.race([work(), tooLong]);
      return { outcome: { result: 'done', value: { ...result.value, machine } }, result };
    } catch (error) {
      if (error instanceof Cancelled) return { outcome: { result: 'cancelled' }, result: null };
      return { outcome: { result: 'failed', reason: reasonOf(error), machine }, result: null };
    } finally {
      (timer as Timer | null)?.cancel();
    }
  }

  private async assertStands(effect: Effect, uuid: string): Promise<void> {
    const { stream } = await this.deps.commits.streams.load(uuid, false);
    const open = stream.node?.effects.some(({ n }) => n === effect.n) ?? false;
    if (!stream.node || !open || !stands(effect, stream.node)) throw new Cancelled();
  }

  /** Ports that an inspection found go with its outcome, or not at all. */
  private async portsFor(
    uuid: string,
    events: readonly NodeEvent[],
    result: TaskResult | null,
    at: number,
  ): Promise<Partial<PortPlan>> {
    const isFound = events.some(({ type }) => type === 'InspectionCleanUpStarted' || type === 'InspectionFinished');
    if (!isFound || !result?.nics) return {};
    return planPorts(uuid, result.nics, this.deps.options.inspection.hookOptions, at, this.deps);
  }

  /** The outcome as a command, fenced by the claim: an older one is old news. */
  private async report(
    claimed: ClaimedEffect,
    uuid: string,
    outcome: EffectOutcome,
    result: TaskResult | null,
  ): Promise<void> {
    const { commits, clock, chance, options, leases, owner, leaseMs, hardware, logger } = this.deps;
    for (let tries = 1; ; tries += 1) {
      try {
        if (!(await leases.renew(claimed, owner, clock.now() + leaseMs))) return;
        const at = clock.now();
        const meta = {
          commandId: chance.uuid(),
          requestId: null,
          actor: null,
          source: `conductor/${options.host}`,
          at,
          causation: `effect ${claimed.n} claim ${claimed.claim}`,
        };
        const { events } = await commits.commit(uuid, meta, async ({ stream }) => {
          const inspect = inspectFactsOf(stream.node, { hardware });
          const end = { type: 'EndEffect', effect: claimed.n, outcome, inspect } as const;
          const decided = decide(end, stream, { now: at, host: options.host, policy: options.policy });
          return {
            events: decided,
            fences: [{ stream: claimed.stream, n: claimed.n, claim: claimed.claim }],
            blobs: result?.blobs,
            ...(await this.portsFor(uuid, decided, result, at)),
          };
        });
        const { warnings = [] } = result ?? {};
        if (warnings.length > 0) {
          const fields = { node: uuid, warnings: warnings.slice(0, WARNINGS_SHOWN_MAX), count: warnings.length };
          logger.warn(fields, 'inspection data is odd');
        }
        for (const event of events) {
          if (event.type !== 'InspectionWaiting' || !event.data.deprecatedReturn) continue;
          const fields = { node: uuid, attempt: event.data.attempt, interface: result?.value.interfaceName };
          logger.warn(
            fields,
            'the inspect interface returned INSPECTING, which is deprecated: a future release will turn this into inspect failed; return INSPECTWAIT',
          );
        }
        return;
      } catch (error) {
        if (error instanceof OldNews) return;
        if (tries >= APPEND_TRIES_MAX) throw error;
        await new Promise<void>((resolve) => clock.after(100 * 2 ** tries, resolve));
      }
    }
  }
}
