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
  /** Told what went wrong and is tried again: a rejected event, a message that is none of ours. */
  readonly onProblem?: (problem: string) => void;
}

export interface EventSubscription {
  /** Position of the last event that was handled, null before the first. */
  readonly position: number | null;
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
 * Rejects when the broker is there and the stream is not.
 */
export async function subscribeEvents(options: SubscribeOptions): Promise<EventSubscription> {
  const { natsUrl, prefix, durable, concept } = options;
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
      ack_wait: nanos(ACK_WAIT_MS),
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
    const { onEvent, onProblem = () => undefined } = this.options;
    const event = eventIn(message);
    if (!event) {
      onProblem(`${message.subject} holds no event`);
      message.term();
      return;
    }
    // A handler may take its time: the broker does not hand the event to a second reader meanwhile.
    const working = setInterval(() => message.working(), ACK_WAIT_MS / 2);
    try {
      if (!this.handled(event)) {
        await onEvent(event);
        this.logId = event.logId;
        this.position = event.position;
      }
      message.ack();
    } catch (error) {
      onProblem(`event ${event.position}: ${String(error)}`);
      message.nak(RETRY_MS);
    } finally {
      clearInterval(working);
    }
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
