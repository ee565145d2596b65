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
import { RunningWork } from '../running-work';
import type { Listener, Server, Subscribers } from './subscribers';

/** What NATS brokers take by default, so that a hint which works here works there. */
const HINT_BYTES_MAX = 1024 * 1024;
/** How long a stop waits for handlers. */
const DRAIN_MS = 60_000;

/** The bus inside one process: the same answers as over NATS, and bodies that are copies as there. */
export class MemoryMessageBus implements MessageBus {
  private readonly subscriptions = new Set<BusSubscription>();
  private readonly awaited = new Set<(error: BusError) => void>();
  private closing: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly subscribers: Subscribers,
    private readonly available: () => boolean,
    private readonly clock: Clock,
  ) {}

  connected(): boolean {
    return !this.closed && this.available();
  }

  async request(subject: string, body: Uint8Array, options: { readonly timeoutMs: number }): Promise<Uint8Array> {
    assertSubject(subject);
    this.assertOpen();
    assertSize(body);
    if (!this.available()) throw new BusError('UNAVAILABLE', 'the bus of this process is interrupted');
    const servers = this.subscribers.serversOf(subject);
    if (servers.length === 0) throw new BusError('NO_RESPONDERS', `nobody serves ${subject}`);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        timer.cancel();
        this.awaited.delete(fail);
        settle();
      };
      const fail = (error: BusError): void => end(() => reject(error));
      const timer = this.clock.after(options.timeoutMs, () =>
        fail(new BusError('TIMEOUT', `no reply to ${subject} within ${options.timeoutMs} ms`)),
      );
      this.awaited.add(fail);
      for (const server of servers) server.take({ subject, body: copyOf(body) }, (reply) => end(() => resolve(reply)));
    });
  }

  async serve(
    subject: string,
    queue: string,
    handler: (request: BusRequest) => Promise<Uint8Array>,
    onError: (error: unknown, subject: string) => void,
  ): Promise<BusSubscription> {
    assertSubjectPattern(subject);
    assertSubject(queue);
    this.assertOpen();
    const work = new RunningWork();
    const server: Server = {
      pattern: subject,
      queue,
      take: (request, answer) => work.add(this.handle(request, handler, answer, onError)),
    };
    this.subscribers.addServer(server);
    return this.remember(async () => {
      this.subscribers.removeServer(server);
      await work.ended(DRAIN_MS, this.clock);
    });
  }

  hint(subject: string, body: Uint8Array): void {
    assertSubject(subject);
    if (body.length > HINT_BYTES_MAX) throw new BusError('TOO_LARGE', `a hint of ${body.length} bytes`);
    if (!this.connected()) return;
    for (const listener of this.subscribers.listenersOf(subject)) listener.take({ subject, body: copyOf(body) });
  }

  async listen(subject: string, handler: (hint: BusRequest) => void): Promise<BusSubscription> {
    assertSubjectPattern(subject);
    this.assertOpen();
    let listening = true;
    const listener: Listener = {
      pattern: subject,
      // Later, as over a network: whoever gives a hint never runs the listener's code, nor gets its errors.
      take: (hint) => void Promise.resolve().then(() => (listening ? guarded(handler, hint) : undefined)),
    };
    this.subscribers.addListener(listener);
    return this.remember(async () => {
      listening = false;
      this.subscribers.removeListener(listener);
    });
  }

  close(): Promise<void> {
    this.closing ??= this.drainAndClose();
    return this.closing;
  }

  private async drainAndClose(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    this.closed = true;
    for (const fail of this.awaited) fail(new BusError('CLOSED', 'this bus was closed'));
  }

  private remember(stop: () => Promise<void>): BusSubscription {
    let stopped: Promise<void> | null = null;
    const remembered: BusSubscription = {
      stop: () => (stopped ??= stop().then(() => void this.subscriptions.delete(remembered))),
    };
    this.subscriptions.add(remembered);
    return remembered;
  }

  private async handle(
    request: BusRequest,
    handler: (request: BusRequest) => Promise<Uint8Array>,
    answer: (reply: Uint8Array) => void,
    onError: (error: unknown, subject: string) => void,
  ): Promise<void> {
    // Later, as over a network: the requester goes on before the handler starts.
    await Promise.resolve();
    try {
      const reply = await handler(request);
      assertSize(reply);
      // A reply given while the bus is interrupted is lost, as it would be with the broker away for good.
      if (this.available()) answer(copyOf(reply));
    } catch (error) {
      onError(error, request.subject);
    }
  }

  private assertOpen(): void {
    if (this.closed) throw new BusError('CLOSED', 'this bus was closed');
  }
}

function assertSize(body: Uint8Array): void {
  if (body.length > BUS_BODY_BYTES_MAX) {
    throw new BusError('TOO_LARGE', `a body of ${body.length} bytes; the bus takes ${BUS_BODY_BYTES_MAX}`);
  }
}

/** `slice` of a Buffer would be a view of the same memory. */
function copyOf(body: Uint8Array): Uint8Array {
  return new Uint8Array(body);
}

function guarded(handler: (hint: BusRequest) => void, hint: BusRequest): void {
  try {
    handler(hint);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)));
  }
}
