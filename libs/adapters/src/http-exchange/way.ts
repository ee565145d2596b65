import { buildConnector } from 'undici';
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

export interface Route {
  /** Whom the connections go to. */
  readonly first: string;
  readonly connect: buildConnector.connector;
  /** In front of every path. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Straight; or through a proxy: http is forwarded by it, https tunnelled. */
export function routeOf({
  origin,
  tls,
  proxy,
  connectTimeoutMs,
}: Pick<Way, 'origin' | 'tls' | 'proxy' | 'connectTimeoutMs'>): Route {
  const peer = new URL(origin);
  const towards = { ...tls, timeout: connectTimeoutMs };
  const headers = login(peer, 'authorization');
  const straight = { first: peer.origin, connect: buildConnector(towards), prefix: '', headers };
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
