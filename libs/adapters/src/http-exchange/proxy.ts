import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { inSystemWords } from './no-answer';

type Towards = buildConnector.BuildOptions & { readonly timeout: number };

/** HTTP basic authentication by what stands in an address; nothing where no user does. */
export function login({ username, password }: URL, header: string): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { [header]: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Connections to the proxy itself, which vouches for its own name: the one in the header `Host` is another's. */
export function towardsProxy(towards: Towards): buildConnector.connector {
  const connect = buildConnector(towards);
  return (proxy, connected) => connect({ ...proxy, servername: undefined }, connected);
}

/**
 * Connections to https peers through a tunnel that the proxy opens. The library's own agent for proxies asks for its
 * tunnel again and again, without a pause, as long as a proxy hangs up on it.
 */
export function tunnelThrough(proxy: URL, towards: Towards): buildConnector.connector {
  const inside = buildConnector(towards);
  return (peer, connected) => {
    openTunnel(proxy, towards, `${bracketed(peer.hostname)}:${peer.port || 443}`).then(
      (httpSocket) => inside({ ...peer, httpSocket }, connected),
      // A hang-up by the library's own name would have it try again, for ever.
      (error: Error) => connected(inSystemWords(error), null),
    );
  };
}

async function openTunnel(proxy: URL, towards: Towards, to: string): Promise<Socket> {
  const client = new Client(proxy.origin, { connect: towardsProxy(towards), headersTimeout: towards.timeout });
  try {
    const headers = { host: to, ...login(proxy, 'proxy-authorization') };
    const { statusCode, socket } = await client.connect({ path: to, headers });
    if (statusCode === 200) return socket as Socket;
    socket.destroy();
    throw new Error(`the proxy answered ${statusCode}`);
  } finally {
    void client.destroy();
  }
}

const bracketed = (hostname: string): string => (hostname.includes(':') ? `[${hostname}]` : hostname);
