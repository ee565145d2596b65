import { isEventMessage, subjects } from '@lib/contracts';
import type { EventMessage } from '@lib/contracts';
import { AckPolicy, connect, DeliverPolicy, nanos } from 'nats';
import type { ConsumerMessages, JsMsg, NatsConnection } from 'nats';

export interface SubscribeOptions {
  readonly natsUrl: string;
  /** `FERROLOG_BUS_PREFIX` of the services. */
  readonly prefix: string;
  /** The subscriber's own name, under which the broker keeps its place. Letters, digits, `-` and `_`. */
  readonly durable: string;
  /** `inspection`, `power`, ...: narrows the events; all unless given. */
  readonly concept?: string;
  /**
   * The bookmark that the caller keeps with its own data. Events up to its position are not handed over again; without it
   * an event may come twice after a crash. A bookmark of another log counts for nothing.
   */
  readonly after?: { readonly logId: string; readonly position: number };
  /** One event at a time, in order of position. Rejecting hands the same event over again after a pause. */
  readonly onEvent: (event: EventMessage) => void | Promise<void>;
  /** After so many rejections an event is parked: `onParked` gets it, and its successors come. Never unless given. */
  readonly triesMax?: number;
  /** Gets what `onEvent` rejected for the last time, with its reason; rejecting keeps the event in its place. */
  readonly onParked?: (event: EventMessage, problem: string) => void | Promise<void>;
  /** How long the broker waits for word of an event in hand before it hands it over again; default 5000. */
  readonly ackWaitMs?: number;
  /** Told what went wrong and is tried again: a rejected event, a message that is none of ours. */
  readonly onProblem?: (problem: string) => void;
}

export interface EventSubscription {
  /** Position of the last event that was handled, null before the first. */
  readonly position: number | null;
  /** Messages that held an event which was handled before. */
  readonly repeated: number;
  /** Events that wait behind the one in hand, as of its arrival: how far this subscriber lags. */
  readonly waiting: number;
  /** Resolves after `stop`; rejects when the broker no longer knows this subscriber, which no waiting heals. */
  readonly ended: Promise<void>;
  /** Ends after the event in hand; what follows it comes at the next subscription. */
  stop(): Promise<void>;
}

/** Longest wait of one request for messages; also how long an event stays unacknowledged after a crash. */
const EXPIRES_MS = 4_000;
const ACK_WAIT_MS = 5_000;
const RETRY_MS = 500;

/**
 * Catches up with the stream from its oldest event or where `durable` stopped, and follows it: through crashes of the
 * caller and of the broker nothing is lost or out of order, and nothing comes twice where the caller keeps a bookmark.
 * Rejects when the broker is there and the stream is not, and with a TypeError for a bookmark that is none.
 */
export async function subscribeEvents(options: SubscribeOptions): Promise<EventSubscription> {
  const { natsUrl, prefix, durable, concept, ackWaitMs = ACK_WAIT_MS } = options;
  assertBookmark(options);
  const connection = await connect({
    servers: natsUrl,
    name: durable,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
  });
  try {
    const stream = subjects.streamName(prefix);
    const manager = await connection.jetstreamManager();
    await manager.consumers.add(stream, {
      durable_name: durable,
      filter_subject: concept ? `${prefix}.v1.evt.${concept}.>` : subjects.allEvents(prefix),
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      // One at a time: an event that has to be delivered again does not come behind its successors.
      max_ack_pending: 1,
      ack_wait: nanos(ackWaitMs),
    });
    const consumer = await connection.jetstream().consumers.get(stream, durable);
    return new Follower(
      connection,
      await consumer.consume({ expires: EXPIRES_MS, abort_on_missing_resource: true }),
      options,
    );
  } catch (error) {
    await connection.close();
    throw error;
  }
}

class Follower implements EventSubscription {
  position: number | null = null;
  repeated = 0;
  waiting = 0;
  readonly ended: Promise<void>;
  private logId: string | null;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly connection: NatsConnection,
    private readonly messages: ConsumerMessages,
    private readonly options: SubscribeOptions,
  ) {
    this.logId = options.after?.logId ?? null;
    this.position = options.after?.position ?? null;
    this.ended = this.follow();
    // Whoever does not look at `ended` must not die of it.
    this.ended.catch(() => undefined);
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    await this.messages.close();
    await this.ended.catch(() => undefined);
    await this.connection.drain();
  }

  private async follow(): Promise<void> {
    for await (const message of this.messages) await this.take(message);
  }

  private async take(message: JsMsg): Promise<void> {
    const { onProblem = () => undefined, ackWaitMs = ACK_WAIT_MS } = this.options;
    const event = eventIn(message);
    this.waiting = message.info.pending;
    if (!event) {
      onProblem(`${message.subject} holds no event`);
      message.term();
      return;
    }
    // A handler may take its time: the broker does not hand the event to a second reader meanwhile.
    const working = setInterval(() => message.working(), ackWaitMs / 2);
    try {
      if (this.handled(event)) this.repeated += 1;
      else await this.handle(event, message.info.deliveryCount);
      message.ack();
    } catch (error) {
      onProblem(`event ${event.position}: ${String(error)}`);
      message.nak(RETRY_MS);
    } finally {
      clearInterval(working);
    }
  }

  /** The broker counts the tries: its count outlives a crash of the caller. */
  private async handle(event: EventMessage, tries: number): Promise<void> {
    const { onEvent, onParked = () => undefined, triesMax = Infinity } = this.options;
    try {
      await onEvent(event);
    } catch (error) {
      if (tries < triesMax) throw error;
      await onParked(event, String(error));
    }
    this.logId = event.logId;
    this.position = event.position;
  }

  /** An acknowledgement can be lost with the broker: then the event comes once more, and its position says so. */
  private handled({ logId, position }: EventMessage): boolean {
    return logId === this.logId && this.position !== null && position <= this.position;
  }
}

function eventIn(message: JsMsg): EventMessage | null {
  try {
    const value: unknown = message.json();
    return isEventMessage(value) ? value : null;
  } catch {
    return null;
  }
}

/** A bookmark that cannot be read must not start the caller's data anew, or skip what it never saw. */
function assertBookmark({ after }: SubscribeOptions): void {
  if (after === undefined) return;
  const { logId, position } = after;
  if (typeof logId === 'string' && logId !== '' && Number.isSafeInteger(position) && position >= 0) return;
  throw new TypeError(`not a bookmark: ${JSON.stringify(after)}; it is { logId, position }`);
}
