import { openMemoryLog } from '@lib/adapters/event-log-memory';
import { JetStreamEventStream } from '@lib/adapters/event-stream-jetstream';
import { systemClock } from '@lib/adapters/system-clock';
import { subscribeEvents, type EventSubscription, type SubscribeOptions } from '@lib/client';
import { subjects, type EventMessage } from '@lib/contracts';
import type { EventLog } from '@lib/ports';
import { startBroker, type Broker, type BrokerSettings } from '@lib/testing';
import { EventPublisher } from '@lib/usecases/publish-events';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { until } from '../stack';

const UUID = '1be26c0b-03f2-4d2e-ae87-c02d7f33c123';
const NODE = `node/${UUID}`;
export const PREFIX = 'site-one';
export const STREAM = subjects.streamName(PREFIX);

/** A subscriber that keeps what it got, with its bookmark, and subscribes again when the broker forgot it. */
export interface Reader {
  /** Positions in the order of their arrival. */
  readonly seen: readonly number[];
  readonly subscription: () => EventSubscription;
  /** How often it had to subscribe anew. */
  readonly restarts: () => number;
}

/** A log, its publisher, a real broker and readers; what follows is how each of them fails. */
export class Feed {
  readonly warnings: string[] = [];
  private publisher: EventPublisher | null = null;
  private commands = 0;
  private readonly closing: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly broker: Broker,
    readonly log: EventLog,
    readonly raw: NatsConnection,
  ) {}

  static async start(settings: BrokerSettings = {}): Promise<Feed> {
    const broker = await startBroker(settings);
    const { log } = openMemoryLog({ schemas: [], clock: systemClock });
    const raw = await connect({ servers: broker.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    const feed = new Feed(broker, log, raw);
    await feed.publish();
    return feed;
  }

  manager(): Promise<JetStreamManager> {
    return this.raw.jetstreamManager({ timeout: 10_000 });
  }

  async openStream(ackTimeoutMs = 500): Promise<JetStreamEventStream> {
    const stream = await JetStreamEventStream.connect({
      url: this.broker.url,
      name: 'publisher',
      logId: await this.log.logId(),
      streamName: STREAM,
      subject: subjects.allEvents(PREFIX),
      ackTimeoutMs,
    });
    this.closing.push(() => stream.close());
    return stream;
  }

  /** A publisher, as each conductor has one. */
  async publish(): Promise<EventPublisher> {
    const warn = (_fields: object, text: string): void => void this.warnings.push(text);
    const logger = { debug: () => undefined, info: () => undefined, warn, error: warn };
    const stream = await this.openStream();
    await stream.cursor();
    const publisher = new EventPublisher({ log: this.log, stream, prefix: PREFIX, clock: systemClock, logger });
    publisher.start();
    this.publisher = publisher;
    this.closing.push(() => publisher.stop());
    return publisher;
  }

  async silence(): Promise<void> {
    await this.publisher?.stop();
  }

  /** Does not wait for any broker: what an api does. */
  async append(count: number, type = 'InspectionStarted'): Promise<void> {
    for (let i = 0; i < count; i++) {
      const commandId = `c${++this.commands}`;
      const meta = { commandId, requestId: 'r', actor: null, source: 's', at: 1, causation: null };
      const events = [{ type, schema: 1, data: { attempt: i } }];
      await this.log.append({ writes: [{ stream: NODE, expected: 'any', events }], changes: [], meta });
    }
  }

  async read(durable: string, rest: Partial<SubscribeOptions> = {}): Promise<Reader> {
    const seen: number[] = [];
    const logId = await this.log.logId();
    let restarts = 0;
    let stopped = false;
    const onEvent = async (event: EventMessage): Promise<void> => {
      await rest.onEvent?.(event);
      seen.push(event.position);
    };
    const subscribe = () => {
      const after = { logId, position: seen.at(-1) ?? 0 };
      return subscribeEvents({ natsUrl: this.broker.url, prefix: PREFIX, durable, after, ...rest, onEvent });
    };
    let subscription = await subscribe();
    const follow = async (): Promise<void> => {
      while (!stopped) {
        await subscription.ended.catch(() => undefined);
        if (stopped) return;
        restarts += 1;
        subscription = await until('a subscription', subscribe, { everyMs: 100 });
      }
    };
    const following = follow();
    this.closing.push(async () => {
      stopped = true;
      await subscription.stop();
      await following;
    });
    return { seen, subscription: () => subscription, restarts: () => restarts };
  }

  /** Positions of all messages of the stream, in its order. */
  async stored(): Promise<number[]> {
    const manager = await this.manager();
    const { state } = await manager.streams.info(STREAM);
    const positions: number[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
      const message = await manager.streams.getMessage(STREAM, { seq });
      positions.push((JSON.parse(Buffer.from(message.data).toString()) as EventMessage).position);
    }
    return positions;
  }

  /** When a reader has got the last event of the log. */
  async caughtUp(...readers: readonly Reader[]): Promise<void> {
    const head = await this.log.head();
    for (const { seen } of readers) {
      await until(`event ${head}`, () => seen.at(-1) === head, { timeoutMs: 60_000, everyMs: 20 });
    }
  }

  async stop(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
    await this.raw.close();
    await this.log.close();
    await this.broker.stop();
  }
}

export const upTo = (last: number, from = 1): number[] => Array.from({ length: last - from + 1 }, (_, i) => from + i);
