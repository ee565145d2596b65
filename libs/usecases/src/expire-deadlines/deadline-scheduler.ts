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

/** The head of the open deadlines is looked at least this often, so that a lost hint or a clock jump costs no more. */
const LOOK_MS = 1000;
const IN_FLIGHT_MAX = 256;
/** With more due than may be in flight, so many answers are gathered before the next look: a look is a read of a page. */
const REFILL = IN_FLIGHT_MAX / 8;
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
  private looking = false;
  private again = false;
  private stopped = false;
  private readable = false;
  /** More is due than the last look could ask. */
  private backlog = false;
  private answersSinceLook = 0;

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
    this.timer?.cancel();
    let next = this.deps.clock.now() + LOOK_MS;
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        next = await this.pass();
      }
      this.readable = true;
    } catch (error) {
      this.readable = false;
      this.deps.logger.warn({ reason: String(error) }, 'the open deadlines can not be read now');
    } finally {
      this.looking = false;
      if (!this.stopped) this.arm(next);
    }
  }

  private arm(next: Instant): void {
    const now = this.deps.clock.now();
    const waitMs = Math.max(0, Math.min(LOOK_MS, next - now));
    this.timer = this.deps.clock.after(waitMs, () => this.wake());
  }

  /** Asks for what is due; returns when the next look is wanted. */
  private async pass(): Promise<Instant> {
    const { readModel, clock } = this.deps;
    this.answersSinceLook = 0;
    this.parking.sweep(clock.now());
    this.parking.cap(clock.now());
    const limit = PAGE + this.parking.count(clock.now()) + this.asking.size;
    const open = await readModel.deadlines(clock.now() + LOOK_MS, limit);
    const now = clock.now();
    this.backlog = false;
    let asked = 0;
    for (const deadline of open) {
      if (this.asking.size >= IN_FLIGHT_MAX) {
        this.backlog = true;
        return now + LOOK_MS;
      }
      if (deadline.due > now) return Math.min(deadline.due, this.parking.next(now) ?? Infinity);
      if (this.consider(deadline, now)) asked += 1;
    }
    // A page of nothing but what waits already: those behind it have their turn, now that the next page is longer.
    if (open.length === limit && asked === 0) this.again = true;
    return this.parking.next(now) ?? now + LOOK_MS;
  }

  private consider(deadline: OpenDeadline, now: Instant): boolean {
    const key = keyOf(deadline);
    if (this.asking.has(key) || this.parking.isParked(key, now)) return false;
    const asked = this.ask(deadline, key).finally(() => this.answered(key));
    this.asking.set(key, asked);
    return true;
  }

  private answered(key: string): void {
    this.asking.delete(key);
    this.answersSinceLook += 1;
    if (!this.backlog || this.answersSinceLook >= REFILL) this.wake();
  }

  private async ask(deadline: OpenDeadline, key: string): Promise<void> {
    const { bus, prefix, logId, clock, logger } = this.deps;
    const message: DeadlineElapsed = { logId, ...deadline };
    const subject = subjects.deadlineElapsed(prefix, uuidOfStream(deadline.stream));
    try {
      const reply = await bus.request(subject, encode(message), { timeoutMs: ANSWER_MS_MAX });
      this.settle(key, decode<DeadlineAnswer>(reply));
    } catch (error) {
      this.parking.unanswered(key, clock.now());
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
        return this.parking.early(key, now + answer.afterMs);
      default:
        return unreachable(answer);
    }
  }
}
