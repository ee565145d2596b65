/** Calls of the simulator to other services. */
import { exchangeOnce, HttpConnections } from '@lib/adapters/http-exchange';
import type { HttpAnswer, HttpAsk } from '@lib/adapters/http-exchange';
import { systemClock } from '@lib/adapters/system-clock';

/** As large as a request to us may be: data of an introspection comes back whole. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** So many machines at a time are worked on at once; more wait for each other. */
const CONNECTIONS_MAX = 64;
const IDLE_MS_MAX = 4000;

export interface Call extends Omit<HttpAsk, 'path'> {
  readonly url: string;
  /** For all of it. */
  readonly timeoutMs: number;
  /** Certificates, in PEM, that are trusted instead of the system's. */
  readonly ca?: string | null;
  readonly bytesMax?: number;
}

const by = (wholeMs: number) => ({ patience: { wholeMs }, clock: systemClock });

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

/** Over a connection of its own. @throws NoAnswer */
export function call({ url, timeoutMs, ca, bytesMax = ANSWER_BYTES_MAX, ...ask }: Call): Promise<HttpAnswer> {
  const tls = ca === undefined || ca === null ? {} : { ca };
  const way = { origin: url, tls, connectTimeoutMs: timeoutMs, bytesMax };
  return exchangeOnce(way, { ...ask, path: pathOf(new URL(url)) }, by(timeoutMs));
}

/** Calls below one address, over connections that are kept for a while. */
export class KeptCalls {
  /** For people to read: without the login that it may have had. */
  readonly address: string;
  private readonly connections: HttpConnections;

  constructor(
    private readonly base: string,
    private readonly timeoutMs: number,
  ) {
    const { origin, pathname } = new URL(base);
    this.address = `${origin}${pathname}`;
    this.connections = new HttpConnections({
      origin: base,
      connectionsMax: CONNECTIONS_MAX,
      idleMsMax: IDLE_MS_MAX,
      connectTimeoutMs: timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
    });
  }

  /** @param path below the address. @throws NoAnswer */
  call({ path, ...ask }: HttpAsk): Promise<HttpAnswer> {
    const whole = { ...ask, path: pathOf(new URL(`${this.base}${path}`)) };
    return this.connections.exchange(whole, by(this.timeoutMs));
  }
}
