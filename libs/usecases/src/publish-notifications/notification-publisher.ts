import type { NotificationLevel } from '@lib/contracts';
import type { Clock, EventLog, EventReader, EventStream, Logger, PublishedEvent, RecordedEvent } from '@lib/ports';
import { OutOfStep, PublishingLoop, cursorOf } from '../publish-events';
import type { Cursor } from '../publish-events';
import { messagesOf } from './messages';
import { positionOf } from './numbers';
import { Translator } from './translate';

export interface NotificationPublisherDeps {
  /** Where it can say so, each commit wakes the publisher; otherwise it looks once a second. */
  readonly log: EventReader & Partial<Pick<EventLog, 'onCommit'>>;
  /** Of notifications, and nobody else's. */
  readonly stream: EventStream;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly prefix: string;
  readonly least: NotificationLevel;
  readonly topics: readonly string[];
  /** `[DEFAULT] log_in_db_max_size`. */
  readonly errorCharsMax: number;
}

/** Events read and translated at a time. */
const WINDOW = 128;

/** Of the event that the last message tells of, some may not be out yet. */
const reread = ({ last, after }: Cursor): Cursor => ({ last, after: last === null ? after : after - 1 });

/**
 * Publishes what a log's events are told of as, from `start` to `stop`. The last message of the stream names the event that
 * it tells of, so that after a restart, whoever does it, each goes out once.
 */
export class NotificationPublisher {
  private readonly loop: PublishingLoop;
  private readonly translator: Translator;
  private cursor: Cursor | null = null;
  private logId: string | null = null;

  constructor(private readonly deps: NotificationPublisherDeps) {
    const { log, clock, logger, errorCharsMax, least } = deps;
    this.translator = new Translator({ reader: log, errorCharsMax, least });
    const window = () => this.publishWindow();
    const outOfStep = () => void (this.cursor = null);
    this.loop = new PublishingLoop({ log, clock, logger, what: 'notifications', window, outOfStep });
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

  /** As that of the EventPublisher. */
  get ended(): Promise<void> {
    return this.loop.ended;
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** False when nothing of the log is left to tell. */
  private async publishWindow(): Promise<boolean> {
    const { log, stream, clock } = this.deps;
    const logId = (this.logId ??= await log.logId());
    const cursor = (this.cursor ??= reread(await cursorOf(stream, log, clock.now(), positionOf)));
    const events = await log.readAll(cursor.after, WINDOW);
    const upTo = events.at(-1)?.position;
    if (upTo === undefined) return false;
    const messages = (await this.messages(events, logId)).filter(({ position }) => position > (cursor.last ?? 0));
    const { published, failure } = await stream.publishMany(messages, cursor.last);
    const last = messages[published - 1]?.position ?? cursor.last;
    if (published > 0) this.loop.progressed();
    if (failure === null) this.cursor = { last, after: upTo };
    else if (failure.outcome === 'out-of-step') this.stepOut(published);
    else this.refused(messages[published], failure.reason, last, cursor.after);
    return true;
  }

  private async messages(events: readonly RecordedEvent[], logId: string): Promise<readonly PublishedEvent[]> {
    const messages: PublishedEvent[] = [];
    for (const event of events)
      messages.push(...messagesOf(event, await this.translator.of(event), { ...this.deps, logId }));
    return messages;
  }

  /** Somebody else published, or the stream lost its end: look again, and not in a hurry when nothing moved. */
  private stepOut(published: number): void {
    this.cursor = null;
    if (published === 0) throw new OutOfStep();
  }

  /** Messages are kept far below what brokers take; what is refused all the same is tried again until it is taken. */
  private refused(message: PublishedEvent | undefined, reason: string, last: number | null, after: number): never {
    this.cursor = { last, after };
    const what = message ? `${message.subject} of position ${positionOf(message.position)}` : 'a notification';
    throw new Error(`the broker refused ${what}: ${reason}`);
  }
}
