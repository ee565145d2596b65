import { ForeignLogError } from '@lib/ports';
import type { Clock, EventLog, Logger } from '@lib/ports';
import { Naps } from './naps';
import { OutOfStep } from './out-of-step';
import { StreamAheadOfLog } from './starting-point';

export interface PublishingLoopDeps {
  /** Where it can say so, each commit wakes the loop; otherwise it looks once a second. */
  readonly log: Partial<Pick<EventLog, 'onCommit'>>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In log lines: `events`. */
  readonly what: string;
  /** Publishes what comes next; false when nothing is left. Begins anew at the stream's own end after `outOfStep`. */
  readonly window: () => Promise<boolean>;
  readonly outOfStep: () => void;
}

/** A look without being woken: other writers of the log are not heard. */
const LOOK_EVERY_MS = 1_000;
/** Another publisher may be quicker as often in a row; beyond that the stream does not go on for anybody. */
const OUT_OF_STEP_MAX = 5;

/** Publishes window after window from `start` to `stop`; waits when there is nothing, and longer each time after a failure. */
export class PublishingLoop {
  private readonly naps: Naps;
  private running: Promise<void> = Promise.resolve();
  private unlisten: (() => void) | undefined;
  private failing = false;
  private outOfStepInARow = 0;

  constructor(private readonly deps: PublishingLoopDeps) {
    this.naps = new Naps(deps.clock);
  }

  start(): void {
    this.unlisten = this.deps.log.onCommit?.(() => this.wake());
    this.running = this.untilStopped();
    // Who cares learns it by `ended`; without a listener the process must not fall by it.
    this.running.catch(() => undefined);
  }

  wake(): void {
    this.naps.wake();
  }

  /** True from a failure on until a window went well. */
  troubled(): boolean {
    return this.failing;
  }

  /** Something was published: the next failure is the first one again. */
  progressed(): void {
    this.naps.resetBackoff();
  }

  /** After `start`: resolves when stopped; rejects with ForeignLogError or StreamAheadOfLog. */
  get ended(): Promise<void> {
    return this.running;
  }

  /** Ends after the window under way, however it ends. */
  async stop(): Promise<void> {
    this.unlisten?.();
    this.naps.stop();
    await this.running.catch(() => undefined);
  }

  private async untilStopped(): Promise<void> {
    while (!this.naps.stopped) {
      try {
        const moved = await this.deps.window();
        this.failing = false;
        this.outOfStepInARow = 0;
        if (!moved) await this.naps.untilWoken(LOOK_EVERY_MS);
      } catch (error) {
        this.deps.outOfStep();
        await this.afterFailure(error);
      }
    }
  }

  private async afterFailure(error: unknown): Promise<void> {
    const { logger, what } = this.deps;
    if (error instanceof ForeignLogError || error instanceof StreamAheadOfLog) {
      this.failing = true;
      logger.error({ error }, `${what} cannot be published`);
      throw error;
    }
    const retryMs = this.naps.nextBackoffMs();
    this.outOfStepInARow = error instanceof OutOfStep ? this.outOfStepInARow + 1 : 0;
    if (error instanceof OutOfStep && this.outOfStepInARow <= OUT_OF_STEP_MAX) {
      logger.debug({ retryMs }, `${what} were published by another one`);
    } else {
      this.failing = true;
      logger.warn({ error, retryMs }, `publishing ${what} is interrupted`);
    }
    await this.naps.backOff(retryMs);
  }
}
