import { decode, encode, subjects } from '@lib/contracts';
import type { DeadlineAnswer, DeadlineElapsed } from '@lib/contracts';
import { unreachable } from '@lib/domain';
import type { BusSubscription, Clock, Instant, Logger, MessageBus, OpenDeadline, ReadModel, Timer } from '@lib/ports';
import { uuidOfStream } from '../node-streams';
import { Parking, keyOf } from './parking';

export interface DeadlineSchedulerDeps {
  readonly readModel: Pick<ReadModel, 'deadlines'>;
  readonly bus: MessageBus;
  readonly prefix: string;
  readonly logId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The head of the open deadlines is looked at at least this often, so that a lost hint or a clock jump costs no more. */
const LOOK_MS = 1000;
const IN_FLIGHT_MAX = 256;
const PAGE = 1000;
const ANSWER_MS_MAX = 5000;

/**
 * Emits the timeout event of each open deadline when its time has come, until the conductor has settled it
 * (architecture, rule 4). Owns no truth: what is open is in the read model, whether it is due the aggregate decides.
 */
export class DeadlineScheduler {
  private readonly parking = new Parking();
  private readonly asking = new Map<string, Promise<void>>();
  private timer: Timer | null = null;
  private subscription: BusSubscription | null = null;
  private armedFor: Instant = 0;
  private looking = false;
  private again = false;
  private stopped = false;
  private readable = false;
  /**
   * Open by the last look and not asked since, the first one last: a look is a read of a page, and one for each answer would be
   * most of the work. What is stale in it costs a question that is answered `gone` or `held`; the next look makes it anew.
   */
  private found: OpenDeadline[] = [];
  /** There may be more behind what was found. */
  private isCut = false;
  private lookAt: Instant = 0;

  constructor(private readonly deps: DeadlineSchedulerDeps) {}

  async start(): Promise<void> {
    const { bus, prefix } = this.deps;
    this.subscription = await bus.listen(subjects.hint(prefix, 'deadlines'), () => this.wake());
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    await this.subscription?.stop();
    await Promise.allSettled([...this.asking.values()]);
  }

  /** True while the open deadlines can be read. */
  ready(): boolean {
    return this.readable;
  }

  /** Something may be due earlier than known. */
  wake(): void {
    this.again = true;
    if (!this.looking && !this.stopped) void this.look();
  }

  private async look(): Promise<void> {
    this.looking = true;
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        await this.read();
      }
      this.readable = true;
    } catch (error) {
      this.readable = false;
      [this.found, this.isCut, this.lookAt] = [[], false, this.deps.clock.now() + LOOK_MS];
      this.deps.logger.warn({ reason: String(error) }, 'the open deadlines can not be read now');
    } finally {
      this.looking = false;
      this.arm();
    }
  }

  /** Reads what is open up to the next look, and asks for what is due of it. */
  private async read(): Promise<void> {
    const { readModel, clock } = this.deps;
    this.parking.sweep(clock.now());
    this.parking.cap(clock.now());
    const limit = PAGE + this.parking.count(clock.now()) + this.asking.size;
    const open = await readModel.deadlines(clock.now() + LOOK_MS, limit);
    const now = clock.now();
    this.found = [...open].reverse();
    this.isCut = open.length === limit;
    this.lookAt = Math.min(now + LOOK_MS, this.parking.next(now) ?? Infinity);
    this.askFound();
  }

  /** As many of those found as are due and may be in flight; behind the last of a page the next one is wanted. */
  private askFound(): void {
    const now = this.deps.clock.now();
    while (!this.stopped && this.asking.size < IN_FLIGHT_MAX) {
      const next = this.found.at(-1);
      if (next === undefined || next.due > now) break;
      this.found.pop();
      this.consider(next, now);
    }
    if (this.isCut && this.found.length === 0) this.wake();
  }

  /** The next look, or the next of those found to fall due, whichever comes first. */
  private arm(): void {
    if (this.looking || this.stopped) return;
    const now = this.deps.clock.now();
    const head = this.asking.size < IN_FLIGHT_MAX ? this.found.at(-1) : undefined;
    const next = Math.min(this.lookAt, now + LOOK_MS, head?.due ?? Infinity);
    if (this.timer !== null && this.armedFor <= next) return;
    this.timer?.cancel();
    this.armedFor = next;
    this.timer = this.deps.clock.after(Math.max(0, next - now), () => this.tick());
  }

  private tick(): void {
    this.timer = null;
    const now = this.deps.clock.now();
    // Further away than a look can be: the clock was set back.
    if (now >= this.lookAt || this.lookAt > now + LOOK_MS) return this.wake();
    this.askFound();
    this.arm();
  }

  private consider(deadline: OpenDeadline, now: Instant): void {
    const key = keyOf(deadline);
    if (this.asking.has(key) || this.parking.isParked(key, now)) return;
    this.asking.set(
      key,
      this.ask(deadline, key).finally(() => this.answered(key)),
    );
  }

  private answered(key: string): void {
    this.asking.delete(key);
    this.askFound();
    this.arm();
  }

  private async ask(deadline: OpenDeadline, key: string): Promise<void> {
    const { bus, prefix, logId, clock, logger } = this.deps;
    const message: DeadlineElapsed = { logId, ...deadline };
    const subject = subjects.deadlineElapsed(prefix, uuidOfStream(deadline.stream));
    try {
      const reply = await bus.request(subject, encode(message), { timeoutMs: ANSWER_MS_MAX });
      this.settle(key, decode<DeadlineAnswer>(reply));
    } catch (error) {
      this.lookBy(this.parking.unanswered(key, clock.now()));
      logger.debug({ ...deadline, reason: String(error) }, 'no conductor answered a timeout event; it is sent again');
    }
  }

  private settle(key: string, answer: DeadlineAnswer): void {
    const now = this.deps.clock.now();
    switch (answer.answer) {
      case 'done':
      case 'gone':
        return this.parking.settled(key, now);
      case 'held':
        // The append that ends the hold opens the row again and may find it overdue.
        return this.parking.forget(key);
      case 'early':
        this.parking.early(key, now + answer.afterMs);
        return this.lookBy(now + answer.afterMs);
      default:
        return unreachable(answer);
    }
  }
  private lookBy(at: Instant): void {
    this.lookAt = Math.min(this.lookAt, at);
  }
}
