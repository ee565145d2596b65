import { ForeignLogError } from '@lib/ports';
import type { Clock, EventLog, EventReader, EventStream, Logger, RecordedEvent } from '@lib/ports';
import { Naps } from './naps';
import { publishedEvent, stubOf } from './published-event';
import { startingPoint } from './starting-point';

export interface PublisherDeps {
  /** Where it can say so, each commit wakes the publisher; otherwise it looks once a second. */
  readonly log: EventReader & Partial<Pick<EventLog, 'onCommit'>>;
  readonly stream: EventStream;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Subjects start with it. */
  readonly prefix: string;
}

/** The stream holds positions that this log does not have yet: the log was put back to an older copy. */
export class StreamAheadOfLog extends Error {
  constructor(
    readonly streamPosition: number,
    readonly head: number,
  ) {
    super(
      `the event stream holds position ${streamPosition} and the log ends at ${head}: the log was put back to an older copy; ` +
        'delete the stream or choose another FERROLOG_BUS_PREFIX',
    );
    this.name = 'StreamAheadOfLog';
  }
}

/** Events read and sent at a time. */
const WINDOW = 256;
/** A look without being woken: other writers of the log are not heard. */
const LOOK_EVERY_MS = 1_000;

interface Cursor {
  /** Position of the last message in the stream, null when it is empty. */
  readonly last: number | null;
  /** The log has to be published from behind this position on. */
  readonly after: number;
}

/** Publishes a log from `start` to `stop`. */
export class EventPublisher {
  private readonly naps: Naps;
  private cursor: Cursor | null = null;
  private logId: string | null = null;
  private running: Promise<void> = Promise.resolve();
  private unlisten: (() => void) | undefined;
  private failing = false;

  constructor(private readonly deps: PublisherDeps) {
    this.naps = new Naps(deps.clock);
  }

  start(): void {
    this.unlisten = this.deps.log.onCommit?.(() => this.wake());
    this.running = this.untilStopped();
    // Who cares learns it by `ended`; without a listener the process must not fall by it.
    this.running.catch(() => undefined);
  }

  /** There may be more to publish. */
  wake(): void {
    this.naps.wake();
  }

  /** True from a failure on until something was published again, or nothing is left to publish. */
  troubled(): boolean {
    return this.failing;
  }

  /** Position up to which the stream holds the log, null while that is not known. */
  position(): number | null {
    return this.cursor?.after ?? null;
  }

  /**
   * After `start`: resolves when stopped; rejects with ForeignLogError or StreamAheadOfLog. The service then has to say so
   * and stop, since nothing that it could publish would be right.
   */
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
        const moved = await this.publishWindow();
        this.failing = false;
        if (!moved) await this.naps.untilWoken(LOOK_EVERY_MS);
      } catch (error) {
        this.cursor = null;
        this.failing = true;
        await this.afterFailure(error);
      }
    }
  }

  private async afterFailure(error: unknown): Promise<void> {
    const { logger } = this.deps;
    if (error instanceof ForeignLogError || error instanceof StreamAheadOfLog) {
      logger.error({ error }, 'events cannot be published');
      throw error;
    }
    const retryMs = this.naps.nextBackoffMs();
    logger.warn({ error, retryMs }, 'publishing events is interrupted');
    await this.naps.backOff(retryMs);
  }

  /** Publishes what comes next; false when the stream holds the whole log. */
  private async publishWindow(): Promise<boolean> {
    const { log, stream, prefix } = this.deps;
    const logId = (this.logId ??= await log.logId());
    const cursor = (this.cursor ??= await this.readCursor());
    const events = await log.readAll(cursor.after, WINDOW);
    if (events.length === 0) return false;
    const messages = events.map((event) => publishedEvent(logId, prefix, event));
    const { published, failure } = await stream.publishMany(messages, cursor.last);
    this.moveTo(events[published - 1]);
    const next = events[published];
    if (failure !== null && next !== undefined) {
      if (failure.outcome === 'out-of-step') this.stepOut(published);
      else await this.publishStub(next, failure.reason, logId);
    }
    return true;
  }

  private async readCursor(): Promise<Cursor> {
    const { log, stream, clock } = this.deps;
    const last = await stream.cursor();
    if (last === null) return { last, after: await startingPoint(log, clock.now()) };
    const head = await log.head();
    if (last > head) throw new StreamAheadOfLog(last, head);
    return { last, after: last };
  }

  private moveTo(event: RecordedEvent | undefined): void {
    if (event === undefined) return;
    this.cursor = { last: event.position, after: event.position };
    this.naps.resetBackoff();
  }

  /** Somebody else published, or the stream lost its end: look again, and not in a hurry when nothing moved. */
  private stepOut(published: number): void {
    this.cursor = null;
    if (published === 0) throw new Error('the stream does not end where this publisher left it');
  }

  /**
   * The broker took the ones before and not this one. A stub that it refuses as well is no matter of this event: to go
   * on without it would leave a gap, so it is tried again later.
   */
  private async publishStub(event: RecordedEvent, reason: string, logId: string): Promise<void> {
    const { stream, prefix, logger } = this.deps;
    const { position, type } = event;
    logger.warn({ position, type, reason }, 'the broker refused an event; its stub goes out');
    const result = await stream.publish(stubOf(logId, prefix, event), this.cursor?.last ?? null);
    if (result.outcome === 'published') this.moveTo(event);
    else if (result.outcome === 'out-of-step') this.stepOut(0);
    else throw new Error(`the broker refused even the stub of position ${position}: ${result.reason}`);
  }
}
