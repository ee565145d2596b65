import {
  assertSubject,
  assertSubjectPattern,
  BUS_BODY_BYTES_MAX,
  BusError,
  type BusRequest,
  type BusSubscription,
  type Clock,
  type MessageBus,
} from '@lib/ports';
import type { Msg, Subscription } from 'nats';
import { BrokerConnection, type BrokerOptions } from '../nats-connection';
import { RunningWork } from '../running-work';
import { systemClock } from '../system-clock';
import { readFrame, writeFrame } from './frame';
import { Inbox } from './inbox';
import { OutgoingTransfer, type Publish } from './outgoing-transfer';
import { PartReceiver } from './part-receiver';
import { type Handler, type OnError, Responder } from './responder';
import { Silence, SignsOfLife } from './signs-of-life';
import { assertSize } from './size';

export interface NatsMessageBusOptions extends BrokerOptions {
  readonly clock?: Clock;
  /** Memory for large requests that are received or worked on, and as much again for large replies. */
  readonly largeBodyBytesMax?: number;
  /** Silence in the middle of a large body after which it is forgotten. */
  readonly transferIdleMs?: number;
  /** How often a server says that it works on a request. */
  readonly aliveMs?: number;
  /** How long a requester waits for such a sign, or for the answer, before it takes the server for gone. */
  readonly silenceMs?: number;
  /** How long `close` waits for handlers. */
  readonly drainMs?: number;
  /** What goes wrong where no caller waits: a broken listener, a refused subscription. */
  readonly onFault?: (error: unknown) => void;
}

const LARGE_BODY_BYTES_MAX = 4 * BUS_BODY_BYTES_MAX;
const TRANSFER_IDLE_MS = 10_000;
const DRAIN_MS = 60_000;
const ALIVE_MS = 1_000;
/** Long enough for a busy machine to let the server say something, four times over. */
const SILENCE_MS = 5_000;
const NOTHING = new Uint8Array(0);
/** Larger parts would hold up the small messages behind them on the same connection. */
const PART_BYTES_MAX = 512 * 1024;
/** The part size must leave room for the headers of a part. */
const PAYLOAD_BYTES_MIN = 1024;
const NO_RESPONDERS_STATUS = 503;

/** The bus over NATS: bodies above half of the broker's `max_payload` go in parts (see frame.ts). */
export class NatsMessageBus implements MessageBus {
  private readonly inbox: Inbox;
  private readonly requestParts: PartReceiver;
  private readonly replyParts: PartReceiver;
  private readonly clock: Clock;
  private readonly responder: Responder;
  private readonly subscriptions = new Set<BusSubscription>();
  private readonly awaited = new Set<(error: BusError) => void>();
  private closing: Promise<void> | null = null;
  private closed = false;

  /** Rejects with one sentence when no broker answers in time. */
  static async connect(options: NatsMessageBusOptions): Promise<NatsMessageBus> {
    const broker = await BrokerConnection.open(options);
    const payloadBytes = broker.maxPayloadBytes();
    if (payloadBytes < PAYLOAD_BYTES_MIN) {
      await broker.close();
      throw new Error(
        `the broker at ${broker.address.shown} takes messages of ${payloadBytes} bytes only (max_payload)`,
      );
    }
    const bus = new NatsMessageBus(broker, options);
    await broker.flush();
    return bus;
  }

  private constructor(
    private readonly broker: BrokerConnection,
    private readonly options: NatsMessageBusOptions,
  ) {
    this.clock = options.clock ?? systemClock;
    const idleMs = options.transferIdleMs ?? TRANSFER_IDLE_MS;
    this.inbox = new Inbox(broker.nats, (error) => this.fault(error));
    const limits = { bytesMax: options.largeBodyBytesMax ?? LARGE_BODY_BYTES_MAX, idleMs };
    // Two budgets: a handler that holds a large request may wait for a large reply, and must not wait for itself.
    this.requestParts = new PartReceiver(this.inbox, this.publish, this.clock, limits);
    this.replyParts = new PartReceiver(this.inbox, this.publish, this.clock, limits);
    const wholeBytesMax = (): number => this.wholeBytesMax();
    const signs = new SignsOfLife(this.clock, options.aliveMs ?? ALIVE_MS, (address) => this.saySomething(address));
    this.responder = new Responder(
      this.inbox,
      this.publish,
      this.requestParts,
      this.clock,
      idleMs,
      wholeBytesMax,
      signs,
    );
  }

  /** The largest body that goes in one message. */
  wholeBytesMax(): number {
    return Math.min(PART_BYTES_MAX, Math.floor(this.broker.maxPayloadBytes() / 2));
  }

  connected(): boolean {
    return !this.closed && this.broker.connected();
  }

  async request(subject: string, body: Uint8Array, options: { readonly timeoutMs: number }): Promise<Uint8Array> {
    assertSubject(subject);
    this.assertOpen();
    assertSize(body);
    this.broker.assertConnected();
    return new Promise<Uint8Array>((resolve, reject) => {
      const end = (settle: () => void): void => {
        timer.cancel();
        silence.end();
        this.inbox.close(address);
        this.awaited.delete(fail);
        settle();
      };
      const fail = (error: BusError): void => end(() => reject(error));
      const answer = (reply: Uint8Array): void => end(() => resolve(reply));
      const timer = this.clock.after(options.timeoutMs, () => fail(timedOut(subject, options.timeoutMs)));
      const silenceMs = this.options.silenceMs ?? SILENCE_MS;
      const silence = new Silence(this.clock, silenceMs, () => fail(silent(subject, silenceMs)));
      const transfer =
        body.length > this.wholeBytesMax() ? new OutgoingTransfer(body, this.wholeBytesMax(), this.publish) : null;
      const address = this.inbox.open((message) => {
        if (isNoResponders(message)) return fail(new BusError('NO_RESPONDERS', `nobody serves ${subject}`));
        const frame = readFrame(message);
        silence.broken();
        if (frame.kind === 'whole') answer(message.data);
        else if (frame.kind === 'pull') transfer?.pulled(message, frame);
        else if (frame.kind === 'open') {
          // From here on the parts have their own limits.
          silence.end();
          void this.replyParts.receive(frame, message.reply ?? '', options.timeoutMs).then((received) => {
            received?.release();
            if (received === null) fail(new BusError('TIMEOUT', `the reply to ${subject} was lost on its way`));
            else answer(received.body);
          });
        }
      });
      this.awaited.add(fail);
      try {
        if (transfer === null) this.publish(subject, body, { reply: address });
        else transfer.open(subject, address, options.timeoutMs);
      } catch (error) {
        fail(new BusError('UNAVAILABLE', `the broker took no request for ${subject}: ${textOf(error)}`));
      }
    });
  }

  async serve(subject: string, queue: string, handler: Handler, onError: OnError): Promise<BusSubscription> {
    assertSubjectPattern(subject);
    assertSubject(queue);
    this.assertOpen();
    const work = new RunningWork();
    const subscription = this.broker.nats.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error !== null) return onError(error, subject);
        // Without a reply subject it is somebody's hint, and none of ours to answer.
        if (message.reply !== undefined && message.reply !== '')
          work.add(this.responder.answer(message, handler, onError));
      },
    });
    await this.broker.flush();
    return this.remember(subscription, work);
  }

  hint(subject: string, body: Uint8Array): void {
    assertSubject(subject);
    if (body.length > this.broker.maxPayloadBytes()) throw new BusError('TOO_LARGE', `a hint of ${body.length} bytes`);
    if (!this.connected()) return;
    try {
      // Copied: the client sends a moment later, and nobody tells the caller when.
      this.publish(subject, new Uint8Array(body), {});
    } catch (error) {
      this.fault(error);
    }
  }

  async listen(subject: string, handler: (hint: BusRequest) => void): Promise<BusSubscription> {
    assertSubjectPattern(subject);
    this.assertOpen();
    const subscription = this.broker.nats.subscribe(subject, {
      callback: (error, message) => {
        if (error !== null) return this.fault(error);
        if (message.reply !== undefined && message.reply !== '') return;
        try {
          handler({ subject: message.subject, body: message.data });
        } catch (fault) {
          this.fault(fault);
        }
      },
    });
    await this.broker.flush();
    return this.remember(subscription, new RunningWork());
  }

  close(): Promise<void> {
    this.closing ??= this.drainAndClose();
    return this.closing;
  }

  private async drainAndClose(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    this.closed = true;
    this.requestParts.close();
    this.replyParts.close();
    for (const fail of this.awaited) fail(new BusError('CLOSED', 'this bus was closed'));
    await this.broker.close();
  }

  private remember(subscription: Subscription, work: RunningWork): BusSubscription {
    let stopped: Promise<void> | null = null;
    const stop = async (): Promise<void> => {
      // Unsubscribes and takes what the broker had sent before; without a broker there is nothing to take.
      if (this.broker.connected())
        await Promise.race([subscription.drain().catch(() => undefined), this.broker.flush()]);
      subscription.unsubscribe();
      await work.ended(this.options.drainMs ?? DRAIN_MS, this.clock);
      this.subscriptions.delete(remembered);
    };
    const remembered = { stop: () => (stopped ??= stop()) };
    this.subscriptions.add(remembered);
    return remembered;
  }

  /** Nothing is kept for later: a sign that comes late says nothing. */
  private saySomething(address: string): void {
    if (!this.broker.connected()) return;
    try {
      this.publish(address, NOTHING, { headers: writeFrame({ kind: 'alive' }) });
    } catch (error) {
      this.fault(error);
    }
  }

  private readonly publish: Publish = (subject, body, options) => this.broker.nats.publish(subject, body, options);

  private assertOpen(): void {
    if (this.closed) throw new BusError('CLOSED', 'this bus was closed');
  }

  private fault(error: unknown): void {
    if (this.options.onFault !== undefined) this.options.onFault(error);
    else process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  }
}

function timedOut(subject: string, timeoutMs: number): BusError {
  return new BusError('TIMEOUT', `no reply to ${subject} within ${timeoutMs} ms`);
}

function silent(subject: string, silenceMs: number): BusError {
  return new BusError('TIMEOUT', `whoever took the request for ${subject} has been silent for ${silenceMs} ms`);
}

function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === NO_RESPONDERS_STATUS;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
