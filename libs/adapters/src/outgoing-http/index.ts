/** Calls to services that are none of ours, over node's own HTTP client; https also through a proxy, by a tunnel. */
import { readFileSync } from 'node:fs';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { OutgoingGet, OutgoingHttp } from '@lib/ports';
import { SettingsError } from '../settings-file';

/** Who vouches for the servers: the system's authorities, nobody, or those of a file with certificates (its path). */
export type VerifyCa = boolean | string;

type Tls = { readonly rejectUnauthorized?: boolean; readonly ca?: string };

const defaultPort = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80');

/** The host as sockets want it: IPv6 without its brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}

const requestTo = (url: URL) => (url.protocol === 'https:' ? httpsRequest : httpRequest);

/** Sends it, and resolves with the answer's head or with the tunnel that is open. */
function sent(request: ClientRequest, answer: 'response' | 'connect'): Promise<[IncomingMessage, Socket?]> {
  return new Promise((resolve, reject) => {
    // Not once: what is cut off afterwards says so as well, and nobody is left to hear it.
    request.on('error', reject);
    request.once(answer, (head: IncomingMessage, socket: Socket) => {
      head.on('error', () => undefined);
      resolve([head, socket]);
    });
    request.end();
  });
}

function tlsOf(verify: VerifyCa): Tls {
  if (typeof verify === 'boolean') return { rejectUnauthorized: verify };
  try {
    return { ca: readFileSync(verify, 'utf8') };
  } catch (error) {
    throw new SettingsError([`[DEFAULT] webserver_verify_ca: it cannot be read: ${(error as Error).message}`]);
  }
}

async function tunnel(target: URL, proxy: URL, signal: AbortSignal, tls: Tls): Promise<Socket> {
  const path = `${target.hostname}:${defaultPort(target)}`;
  const headers = { host: path, ...proxyHeaders(proxy) };
  const options = { host: hostOf(proxy), port: defaultPort(proxy), method: 'CONNECT', path, headers, signal, ...tls };
  const [head, socket] = await sent(requestTo(proxy)({ ...options, agent: false }), 'connect');
  if (head.statusCode === 200 && socket) return socket;
  socket?.destroy();
  throw new Error(`the proxy answered ${head.statusCode}`);
}

async function status(request: ClientRequest): Promise<number> {
  try {
    const [head] = await sent(request, 'response');
    return head.statusCode ?? 0;
  } finally {
    request.destroy();
  }
}

/** Without a pool: such calls are rare, and nothing is left open behind them. */
async function call({ url, headers, proxy }: OutgoingGet, signal: AbortSignal, tls: Tls): Promise<number> {
  const target = new URL(url);
  const options = { method: 'GET', headers, signal, agent: false, ...tls } as const;
  if (proxy === null) return status(requestTo(target)(target, options));
  const by = new URL(proxy);
  if (target.protocol === 'http:') {
    const through = { ...options, host: hostOf(by), port: defaultPort(by), path: target.href };
    const named = { host: target.host, ...headers, ...proxyHeaders(by) };
    return status(requestTo(by)({ ...through, headers: named }));
  }
  const socket = await tunnel(target, by, signal, tls);
  const createConnection = () => tlsConnect({ socket, host: hostOf(target), servername: hostOf(target), ...tls });
  // With an agent, even a fresh one, the connection would be the agent's own.
  return status(httpsRequest(target, { ...options, agent: undefined, createConnection }));
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

/** @throws SettingsError for a file that cannot be read */
export function outgoingHttp(verify: VerifyCa = true): OutgoingHttp {
  const tls = tlsOf(verify);
  return {
    async get(request, signal) {
      const timeout = AbortSignal.timeout(request.timeoutMs);
      try {
        return await call(request, AbortSignal.any([signal, timeout]), tls);
      } catch (error) {
        if (timeout.aborted) throw new Error(`no answer within ${request.timeoutMs / 1000} seconds`, { cause: error });
        throw new Error(reasonOf(error), { cause: error });
      }
    },
  };
}
