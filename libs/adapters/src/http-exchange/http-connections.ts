import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { exchange } from './exchange';
import type { Circumstances, HttpAnswer } from './exchange';
import { NoAnswer } from './no-answer';
import { routeOf } from './way';
import type { Route, Way } from './way';

export interface HttpAsk {
  readonly method: string;
  /** Below the origin, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is not at hand as a whole is sent in chunks, as it comes. */
  readonly body?: string | Readable;
}

/** What serves no request is let go after this, where it holds no connection. */
const REST_MS = 1000;

/** The connections to one peer, by HTTP/1.1. Redirections are answers like others. */
export class HttpConnections {
  private readonly route: Route;
  private readonly options: Pool.Options;
  private readonly restMs: number;
  /** Null while nobody asks anything: of peers that are known and left alone there may be thousands. */
  private pool: Pool | null = null;
  private running = 0;
  private rest: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor({ connectionsMax, idleMsMax, bytesMax, ...way }: Way) {
    this.route = routeOf(way);
    this.restMs = idleMsMax ?? REST_MS;
    this.options = {
      connect: this.route.connect,
      connections: connectionsMax,
      ...(idleMsMax === null
        ? { pipelining: 0 }
        : { pipelining: 1, keepAliveTimeout: idleMsMax, keepAliveMaxTimeout: idleMsMax }),
      maxResponseSize: bytesMax,
      // The clock that is handed in measures the peer's silence.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
  }

  /** @throws NoAnswer */
  async exchange({ method, path, headers, body }: HttpAsk, circumstances: Circumstances): Promise<HttpAnswer> {
    if (this.isClosed) throw new NoAnswer('broken', 'nowhere', new Error('the connections are closed'));
    const { first, prefix, headers: fixed } = this.route;
    const request = { method, path: `${prefix}${path}`, headers: { ...fixed, ...lowerCased(headers) }, body };
    if (this.rest) clearTimeout(this.rest);
    this.pool ??= new Pool(first, this.options);
    this.running += 1;
    try {
      return await exchange(this.pool, request, circumstances);
    } finally {
      this.running -= 1;
      if (this.running === 0) this.rest = setTimeout(() => this.drop(), this.restMs).unref();
    }
  }

  /** Cuts off what is under way. */
  close(): void {
    this.isClosed = true;
    this.drop();
  }

  private drop(): void {
    if (this.rest) clearTimeout(this.rest);
    void this.pool?.destroy();
    this.pool = null;
  }
}

/** One request over a connection of its own, which is closed afterwards. @throws NoAnswer */
export async function exchangeOnce(
  way: Omit<Way, 'connectionsMax' | 'idleMsMax'>,
  ask: HttpAsk,
  circumstances: Circumstances,
): Promise<HttpAnswer> {
  const connections = new HttpConnections({ ...way, connectionsMax: 1, idleMsMax: null });
  try {
    return await connections.exchange(ask, circumstances);
  } finally {
    connections.close();
  }
}

/** So that a header of the way can be given anew by a request. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
