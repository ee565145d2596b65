import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { exchange } from './exchange';
import type { Circumstances, HttpAnswer } from './exchange';
import { login, towardsProxy, tunnelThrough } from './proxy';

/** Who vouches for the peer, and how it may speak TLS; what is left out is Node's own. */
export interface Tls {
  readonly rejectUnauthorized?: boolean;
  /** Certificates, in PEM, that are trusted instead of the system's. */
  readonly ca?: string | string[];
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** In OpenSSL's notation. */
  readonly ciphers?: string;
}

/** The way to one peer. */
export interface Way {
  /** `https://host:port`; a login in it is told by HTTP basic authentication, a path is not looked at. */
  readonly origin: string;
  readonly tls?: Tls;
  /** Address of an HTTP proxy to go through, its login inside; none where it is left out or null. */
  readonly proxy?: string | null;
  /** Connections at once. */
  readonly connectionsMax: number;
  /** A connection that nobody uses is closed after this; null: each request has a connection of its own. */
  readonly idleMsMax: number | null;
  /** By the system's clock, to half a second: it also ends what nobody waits for any more. */
  readonly connectTimeoutMs: number;
  /** Of the body of an answer. */
  readonly bytesMax: number;
}

export interface HttpAsk {
  readonly method: string;
  /** Below the origin, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is not at hand as a whole is sent in chunks, as it comes. */
  readonly body?: string | Readable;
}

/** The connections to one peer, by HTTP/1.1. Redirections are answers like others. */
export class HttpConnections {
  private readonly pool: Pool;
  private readonly route: Route;

  constructor({ connectionsMax, idleMsMax, bytesMax, ...way }: Way) {
    this.route = routeOf(way);
    this.pool = new Pool(this.route.first, {
      connect: this.route.connect,
      connections: connectionsMax,
      ...(idleMsMax === null
        ? { pipelining: 0 }
        : { pipelining: 1, keepAliveTimeout: idleMsMax, keepAliveMaxTimeout: idleMsMax }),
      maxResponseSize: bytesMax,
      // The clock that is handed in measures the peer's silence.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @throws NoAnswer */
  exchange({ method, path, headers, body }: HttpAsk, circumstances: Circumstances): Promise<HttpAnswer> {
    const named = { ...this.route.headers, ...lowerCased(headers) };
    return exchange(this.pool, { method, path: `${this.route.prefix}${path}`, headers: named, body }, circumstances);
  }

  /** Cuts off what is under way. */
  close(): void {
    void this.pool.destroy();
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

interface Route {
  /** Whom the connections go to. */
  readonly first: string;
  readonly connect: Pool.Options['connect'];
  /** In front of every path. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Straight; or through a proxy: http is forwarded by it, https tunnelled. */
function routeOf({
  origin,
  tls,
  proxy,
  connectTimeoutMs,
}: Pick<Way, 'origin' | 'tls' | 'proxy' | 'connectTimeoutMs'>): Route {
  const peer = new URL(origin);
  const towards = { ...tls, timeout: connectTimeoutMs };
  const headers = login(peer, 'authorization');
  const straight = { first: peer.origin, connect: towards, prefix: '', headers };
  if (proxy === undefined || proxy === null) return straight;
  const by = new URL(proxy);
  if (peer.protocol === 'https:') return { ...straight, connect: tunnelThrough(by, towards) };
  return {
    first: by.origin,
    connect: towardsProxy(towards),
    prefix: peer.origin,
    headers: { ...headers, host: peer.host, ...login(by, 'proxy-authorization') },
  };
}

/** So that a header of the way can be given anew by a request. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
