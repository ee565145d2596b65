import type { Clock, EventLog, EventReader, EventStream, Logger, RecordedEvent } from '@lib/ports';
import { OutOfStep } from './out-of-step';
import { publishedEvent, stubOf } from './published-event';
import { PublishingLoop } from './publishing-loop';
import { cursorOf } from './starting-point';
import type { Cursor } from './starting-point';

export interface PublisherDeps {
  /** Where it can say so, each commit wakes the publisher; otherwise it looks once a second. */
  readonly log: EventReader & Partial<Pick<EventLog, 'onCommit'>>;
  readonly stream: EventStream;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Subjects start with it. */
  readonly prefix: string;
}

/** Events read and sent at a time. */
const WINDOW = 256;

/** Publishes a log from `start` to `stop`. */
export class EventPublisher {
  private readonly loop: PublishingLoop;
  private cursor: Cursor | null = null;
  private logId: string | null = null;

  constructor(private readonly deps: PublisherDeps) {
    const { log, clock, logger } = deps;
    const window = () => this.publishWindow();
    const outOfStep = () => void (this.cursor = null);
    this.loop = new PublishingLoop({ log, clock, logger, what: 'events', window, outOfStep });
  }

  start(): void {
    this.loop.start();
  }

  /** There may be more to publish. */
  wake(): void {
    this.loop.wake();
  }

  /** True from a failure on until something was published again, or nothing is left to publish. */
  troubled(): boolean {
    return this.loop.troubled();
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
    return this.loop.ended;
  }

  /** Ends after the window under way, however it ends. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Publishes what comes next; false when the stream holds the whole log. */
  private async publishWindow(): Promise<boolean> {
    const { log, stream, prefix, clock } = this.deps;
    const logId = (this.logId ??= await log.logId());
    const cursor = (this.cursor ??= await cursorOf(stream, log, clock.now()));
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

  private moveTo(event: RecordedEvent | undefined): void {
    if (event === undefined) return;
    this.cursor = { last: event.position, after: event.position };
    this.loop.progressed();
  }

  /** Somebody else published, or the stream lost its end: look again, and not in a hurry when nothing moved. */
  private stepOut(published: number): void {
    this.cursor = null;
    if (published === 0) throw new OutOfStep();
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
