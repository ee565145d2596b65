import type { InspectorReply, InspectorRequest, InspectorWord } from '@lib/contracts';
import type { Clock } from '@lib/ports';
import { exchangeOnce, NoAnswer } from '../http-exchange';
import type { HttpAsk } from '../http-exchange';
import { AnswerLost } from './inspector-transport';
import type { InspectorTransport } from './inspector-transport';

export type InspectorCredentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'http_basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string };

/** An ironic-inspector, and how it is reached. */
export interface HttpPeer {
  /** Its address, with or without `/v1` at the end. */
  readonly endpoint: string;
  readonly credentials: InspectorCredentials;
  /** Certificates, in PEM, that are trusted instead of the system's; null: the system's. */
  readonly ca: string | null;
  readonly verifyCertificate: boolean;
}

/** As much as one message of the bus carries: data of an introspection is that large at most. */
const BYTES_MAX = 64 * 1024 * 1024;

type Route = Omit<HttpAsk, 'headers'>;

/** The inspector's REST calls (contract: inspector-api.md §5). The attempt has no place in them. */
const routes: Readonly<Record<InspectorWord, (request: InspectorRequest) => Route>> = {
  // Without a word about boot the inspector boots the machine (§3.1).
  start: ({ node, manageBoot }) => ({
    method: 'POST',
    path: `/introspection/${encodeURIComponent(node)}${manageBoot === false ? '?manage_boot=False' : ''}`,
  }),
  abort: ({ node }) => ({ method: 'POST', path: `/introspection/${encodeURIComponent(node)}/abort` }),
  status: ({ node }) => ({ method: 'GET', path: `/introspection/${encodeURIComponent(node)}` }),
  data: ({ node }) => ({ method: 'GET', path: `/introspection/${encodeURIComponent(node)}/data` }),
  // The inspector finds the node by itself, as it does for a ramdisk.
  continue: ({ data }) => ({ method: 'POST', path: '/continue', body: JSON.stringify(data) }),
};

function credentialHeaders(credentials: InspectorCredentials): Record<string, string> {
  switch (credentials.kind) {
    case 'none':
      return {};
    case 'http_basic': {
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`, 'utf8');
      return { Authorization: `Basic ${pair.toString('base64')}` };
    }
    case 'token':
      return { 'X-Auth-Token': credentials.token };
  }
}

/** What stands in `last_error`: which inspector, and why it said nothing. */
function silence(error: NoAnswer, origin: string, timeoutMs: number): Error {
  const seconds = timeoutMs / 1000;
  const isReached = error.reach !== 'nowhere';
  switch (error.kind) {
    case 'time':
    case 'queue':
    case 'connection':
      return isReached
        ? new AnswerLost(`the inspector did not answer within ${seconds} seconds`)
        : new Error(`the inspector at ${origin} could not be reached within ${seconds} seconds`);
    case 'size':
      return new AnswerLost('the inspector answered with more than an answer may hold');
    case 'given up':
      return new Error(error.message);
    case 'broken':
      return isReached
        ? new AnswerLost(`the inspector broke its answer off: ${error.message}`)
        : new Error(`no inspector can be reached at ${origin}: ${error.message}`);
  }
}

/** A body that is no JSON (a proxy's page, say) leaves the status to speak for itself. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/**
 * A real ironic-inspector, or whatever answers as one (contract: inspector-api.md). Each call has a connection of its
 * own: one that was kept might be closed by the peer just then, and a start or an abort cannot be sent twice without
 * being asked twice.
 */
export function overHttp(peer: HttpPeer, timeoutMs: number, clock: Clock): InspectorTransport {
  const base = `${peer.endpoint.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
  const { origin, pathname } = new URL(base);
  const tls = { rejectUnauthorized: peer.verifyCertificate, ...(peer.ca === null ? {} : { ca: peer.ca }) };
  const way = { origin: base, tls, connectTimeoutMs: timeoutMs, bytesMax: BYTES_MAX };
  const fixed = { Accept: 'application/json', ...credentialHeaders(peer.credentials) };
  return {
    async ask(word, request, signal): Promise<InspectorReply> {
      const { path, ...route } = routes[word](request);
      const headers = route.body === undefined ? fixed : { ...fixed, 'Content-Type': 'application/json' };
      const ask = { ...route, path: `${pathname}${path}`, headers };
      try {
        const { status, text } = await exchangeOnce(way, ask, { patience: { wholeMs: timeoutMs }, clock, signal });
        return { status, body: bodyOf(text) };
      } catch (error) {
        throw error instanceof NoAnswer ? silence(error, origin, timeoutMs) : error;
      }
    },
  };
}
