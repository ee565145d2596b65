import { setTimeout as sleep } from 'node:timers/promises';
import { BusError } from '@lib/ports';
import { connect, type ConnectionOptions, Events, type NatsConnection, NatsError } from 'nats';
import { type BrokerAddress, parseBrokerUrl } from './broker-url';

export interface BrokerOptions {
  /** As `NATS_URL`. */
  readonly url: string;
  /** Shown in the broker's own lists of connections. */
  readonly name: string;
  /** How long `open` waits for the broker to come up. */
  readonly connectTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const DIAL_TIMEOUT_MS = 5_000;
const RETRY_DELAY_MIN_MS = 50;
const RETRY_DELAY_MAX_MS = 2_000;
/** A broker that says nothing for 2 pings is taken for dead and dialled anew. */
const PING_INTERVAL_MS = 10_000;
const PINGS_UNANSWERED_MAX = 2;
const FLUSH_TIMEOUT_MS = 5_000;

/** One connection to the broker that is made again for ever, and that knows whether it is up. */
export class BrokerConnection {
  private up = true;
  private payloadBytesMax: number;
  private lossCount = 0;

  private constructor(
    readonly nats: NatsConnection,
    readonly address: BrokerAddress,
    private readonly loss: { sinceMs: number },
  ) {
    this.payloadBytesMax = nats.info?.max_payload ?? 0;
    void this.watch();
  }

  /** Tries until the broker answers; rejects with one sentence when it does not in time, or refuses our credentials. */
  static async open(options: BrokerOptions): Promise<BrokerConnection> {
    const address = parseBrokerUrl(options.url);
    const limitMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    const startMs = performance.now();
    const loss = { sinceMs: startMs };
    for (;;) {
      const restMs = limitMs - (performance.now() - startMs);
      try {
        const dialTimeoutMs = Math.max(100, Math.min(restMs, DIAL_TIMEOUT_MS));
        const nats = await connect(clientOptions(address, options.name, loss, dialTimeoutMs));
        return new BrokerConnection(nats, address, loss);
      } catch (error) {
        if (error instanceof NatsError && error.isAuthError()) {
          throw new Error(`the broker at ${address.shown} refuses our credentials`, { cause: error });
        }
        const delayMs = retryDelayMs(loss.sinceMs);
        if (performance.now() - startMs + delayMs >= limitMs) {
          throw new Error(`no broker answers at ${address.shown} (tried for ${limitMs / 1000} s): ${reasonOf(error)}`, {
            cause: error,
          });
        }
        await sleep(delayMs);
      }
    }
  }

  /** False from the moment the loss is noticed until the connection stands again. */
  connected(): boolean {
    return this.up && !this.nats.isClosed();
  }

  /** Largest message that the broker takes, in bytes; the last known one while it is away. */
  maxPayloadBytes(): number {
    this.payloadBytesMax = this.nats.info?.max_payload ?? this.payloadBytesMax;
    return this.payloadBytesMax;
  }

  /** How often the connection was lost so far: what was learned from the broker before is to be asked again. */
  losses(): number {
    return this.lossCount;
  }

  /** Throws BusError UNAVAILABLE: the client would keep what it is given now, and send or forget it later. */
  assertConnected(): void {
    if (!this.connected()) throw new BusError('UNAVAILABLE', `the broker at ${this.address.shown} cannot be reached`);
  }

  /** Resolves when the broker has seen all that was sent before, or at once when it is away. */
  async flush(): Promise<void> {
    if (!this.connected()) return;
    const waiting = new AbortController();
    const limit = sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false, signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.nats.flush().catch(() => undefined), limit]);
    waiting.abort();
  }

  async close(): Promise<void> {
    await this.flush();
    await this.nats.close();
  }

  private async watch(): Promise<void> {
    for await (const status of this.nats.status()) {
      if (status.type === Events.Disconnect) {
        this.up = false;
        this.lossCount++;
        this.loss.sinceMs = performance.now();
      } else if (status.type === Events.Reconnect) {
        this.up = true;
      }
    }
    this.up = false;
  }
}

function clientOptions(
  address: BrokerAddress,
  name: string,
  loss: { readonly sinceMs: number },
  timeoutMs: number,
): ConnectionOptions {
  return {
    servers: [...address.servers],
    name,
    timeout: timeoutMs,
    maxReconnectAttempts: -1,
    // The client gives up for good after the same refusal twice; a broker whose users are being changed must not end us.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => retryDelayMs(loss.sinceMs),
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    // A stack kept for each request, in case it fails, costs a tenth of the conductor's time.
    noAsyncTraces: true,
    ...(address.user === undefined ? {} : { user: address.user, pass: address.password }),
    ...(address.token === undefined ? {} : { token: address.token }),
    ...(address.tls ? { tls: {} } : {}),
  };
}

/** Grows with the time since the loss, so that it needs no count: a quarter of it, within bounds. */
function retryDelayMs(sinceMs: number): number {
  return Math.min(RETRY_DELAY_MAX_MS, Math.max(RETRY_DELAY_MIN_MS, (performance.now() - sinceMs) / 4));
}

function reasonOf(error: unknown): string {
  if (error instanceof NatsError) return error.code === 'CONNECTION_REFUSED' ? 'connection refused' : error.message;
  return error instanceof Error ? error.message : 'unknown reason';
}
