import {
  BusError,
  type EventStream,
  ForeignLogError,
  type PublishedEvent,
  type PublishFailure,
  type PublishManyResult,
  type PublishResult,
} from '@lib/ports';
import { ErrorCode, headers, type JetStreamManager, type MsgHdrs, NatsError } from 'nats';
import { BrokerConnection, type BrokerOptions } from '../nats-connection';
import { type AckRead, readAck } from './ack';
import { messageId, parseMessageId } from './message-id';
import { ensureStream } from './stream-setup';

export interface JetStreamEventStreamOptions extends BrokerOptions {
  /** Id of the log whose events go out. */
  readonly logId: string;
  /** `<prefix>_v1_evt` */
  readonly streamName: string;
  /** `<prefix>.v1.evt.>` */
  readonly subject: string;
  /** Copies in a JetStream cluster. */
  readonly replicas?: number;
  readonly ackTimeoutMs?: number;
  /** Publishes in flight; 1 waits for every answer. */
  readonly windowMax?: number;
}

/** The last message of the stream as this publisher knows it. */
interface Tail {
  readonly position: number | null;
  readonly sequence: number;
}

const ACK_TIMEOUT_MS = 5_000;
const WINDOW_MAX = 256;
const NO_MESSAGE_FOUND = 10037;

/**
 * Publishes to a JetStream stream so that the broker itself refuses gaps, repeats and a second publisher.
 *
 * The condition "the last message is the one before" goes out as the expected last sequence, which this class knows by reading
 * the last message's id once and by the answers since. The expected last message id alone says the same in simpler words, but
 * a server (2.9.10 and others) forgets that id when it restarts after the duplicate window has passed, and from then on
 * refuses every publish that names it. Behind the first event of a run in flight the server has just seen the id, and there
 * the id is needed as well: a stranger's message in between takes the sequence that the second event counts on.
 */
export class JetStreamEventStream implements EventStream {
  private tail: Tail | null = null;
  private tailLosses = -1;
  private closed = false;

  /** Rejects with one sentence when no broker answers in time; the stream itself is made by `cursor`. */
  static async connect(options: JetStreamEventStreamOptions): Promise<JetStreamEventStream> {
    if (!/^[^:\s]+$/.test(options.logId)) throw new TypeError(`not a log id: ${JSON.stringify(options.logId)}`);
    return new JetStreamEventStream(await BrokerConnection.open(options), options);
  }

  private constructor(
    private readonly broker: BrokerConnection,
    private readonly options: JetStreamEventStreamOptions,
  ) {}

  async cursor(): Promise<number | null> {
    this.assertReady();
    this.tail = null;
    const losses = this.broker.losses();
    const tail = await this.asking(() => this.readTail());
    this.tail = tail;
    this.tailLosses = losses;
    return tail.position;
  }

  async publish(event: PublishedEvent, after: number | null): Promise<PublishResult> {
    const { failure } = await this.publishMany([event], after);
    return failure ?? { outcome: 'published' };
  }

  async publishMany(events: readonly PublishedEvent[], after: number | null): Promise<PublishManyResult> {
    this.assertReady();
    const windowMax = this.options.windowMax ?? WINDOW_MAX;
    let published = 0;
    while (published < events.length) {
      const window = events.slice(published, published + windowMax);
      const before = published === 0 ? after : (events[published - 1]?.position ?? null);
      const result = await this.publishWindow(window, before);
      published += result.published;
      if (result.failure !== null) return { published, failure: result.failure };
    }
    return { published, failure: null };
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.broker.close();
  }

  /** All at once, each on the condition of the one before it: when one is not taken, nothing behind it is. */
  private async publishWindow(events: readonly PublishedEvent[], after: number | null): Promise<PublishManyResult> {
    const tail = await this.knownTail();
    if (tail.position !== after) return { published: 0, failure: { outcome: 'out-of-step' } };
    const sent = events.map((event, index) => this.send(event, tail.sequence + index, events[index - 1] ?? null));
    const answers = await Promise.allSettled(sent);
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'rejected') {
        // Whether this one is in, and what behind it, only the stream knows.
        this.tail = null;
        throw answer.reason;
      }
      const { result, sequence } = answer.value;
      if (result.outcome !== 'published' || sequence === null)
        return { published: index, failure: this.failed(result) };
      this.tail = { position: events[index]?.position ?? null, sequence };
    }
    return { published: events.length, failure: null };
  }

  /** After a refusal the tail stands as known; out of step it is not known any more. */
  private failed(result: PublishResult): PublishFailure {
    if (result.outcome === 'refused') return result;
    this.tail = null;
    return { outcome: 'out-of-step' };
  }

  /** While the connection was away the stream may have been made anew: what was known of it is read again. */
  private async knownTail(): Promise<Tail> {
    if (this.tail === null || this.tailLosses !== this.broker.losses()) await this.cursor();
    if (this.tail === null) throw new BusError('UNAVAILABLE', 'the end of the event stream is not known');
    return this.tail;
  }

  private async send(event: PublishedEvent, lastSequence: number, before: PublishedEvent | null): Promise<AckRead> {
    this.assertReady();
    const head = this.headersOf(event.position, lastSequence, before);
    const bytes = event.body.length + head.toString().length;
    if (bytes > this.broker.maxPayloadBytes()) {
      const reason = `${bytes} bytes are more than the broker's max_payload of ${this.broker.maxPayloadBytes()}`;
      return { result: { outcome: 'refused', reason }, sequence: null };
    }
    return this.asking(async () => {
      const timeout = this.options.ackTimeoutMs ?? ACK_TIMEOUT_MS;
      const answer = await this.broker.nats.request(event.subject, event.body, { timeout, headers: head });
      return readAck(answer.data, this.options.streamName);
    });
  }

  private headersOf(position: number, lastSequence: number, before: PublishedEvent | null): MsgHdrs {
    const head = headers();
    head.set('Nats-Msg-Id', messageId(this.options.logId, position));
    head.set('Nats-Expected-Stream', this.options.streamName);
    head.set('Nats-Expected-Last-Sequence', String(lastSequence));
    if (before !== null) head.set('Nats-Expected-Last-Msg-Id', messageId(this.options.logId, before.position));
    return head;
  }

  private async readTail(): Promise<Tail> {
    const { streamName, subject, logId, replicas } = this.options;
    const manager = await this.broker.nats.jetstreamManager({ timeout: this.options.ackTimeoutMs ?? ACK_TIMEOUT_MS });
    await ensureStream(manager, { name: streamName, subject, replicas: replicas ?? 1 });
    const { state } = await manager.streams.info(streamName);
    const id = state.messages === 0 ? null : await lastId(manager, streamName, state.last_seq);
    if (id === null) return { position: null, sequence: state.last_seq };
    const parsed = parseMessageId(id);
    if (parsed?.logId !== logId) throw new ForeignLogError(logId, parsed?.logId ?? id, streamName);
    return { position: parsed.position, sequence: state.last_seq };
  }

  /** Turns the client's errors into the port's. */
  private async asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NatsError)) throw error;
      const { shown } = this.broker.address;
      if (isWithoutJetStream(error)) throw new BusError('UNAVAILABLE', `the broker at ${shown} runs without JetStream`);
      if (error.code === ErrorCode.Timeout) throw new BusError('TIMEOUT', `no answer of JetStream at ${shown} in time`);
      throw new BusError(this.closed ? 'CLOSED' : 'UNAVAILABLE', `JetStream at ${shown}: ${error.message}`);
    }
  }

  private assertReady(): void {
    if (this.closed) throw new BusError('CLOSED', 'this event stream was closed');
    this.broker.assertConnected();
  }
}

/** Null when the message went (aged out) between the two questions: the stream is empty then. */
async function lastId(manager: JetStreamManager, streamName: string, sequence: number): Promise<string | null> {
  try {
    const message = await manager.streams.getMessage(streamName, { seq: sequence });
    // A message without an id is nobody's of ours; its subject says most about whose it is.
    return message.header.get('Nats-Msg-Id') || `(no id, ${message.subject})`;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.err_code === NO_MESSAGE_FOUND) return null;
    throw error;
  }
}

/** Also for some moments while JetStream starts or has no leader. */
function isWithoutJetStream(error: NatsError): boolean {
  return error.code === ErrorCode.NoResponders || error.code === ErrorCode.JetStreamNotEnabled;
}
