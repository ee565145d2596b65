import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Clock } from '@lib/ports';

export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  /** From the first byte sent to the last one received, the connection included. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** Certificates, in PEM, that are trusted instead of the system's; null: the system's. */
  readonly ca: string | null;
  readonly verifyCertificate: boolean;
}

/** Why there is no answer. `connected` false: nothing of the request has reached the peer. */
export class NoAnswer extends Error {
  constructor(
    readonly kind: 'time' | 'size' | 'broken' | 'given up',
    readonly connected: boolean,
    cause?: unknown,
  ) {
    super(`no answer: ${kind}`, { cause });
    this.name = 'NoAnswer';
  }
}

async function bodyOf(answer: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) throw new NoAnswer('size', true);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function bodyHeaders(method: Exchange['method'], body: string | undefined): Record<string, string> {
  if (method === 'GET') return {};
  const length = { 'Content-Length': String(Buffer.byteLength(body ?? '')) };
  return body === undefined ? length : { ...length, 'Content-Type': 'application/json' };
}

/**
 * One request on a connection of its own: one that was kept might be closed by the peer just then, and a start or an
 * abort cannot be sent twice without being asked twice. Redirections are answers like others. @throws NoAnswer
 */
export async function exchange(
  { method, url, headers, body, timeoutMs, bytesMax, ca, verifyCertificate }: Exchange,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  let connected = false;
  let ended: NoAnswer['kind'] | null = null;
  const isTls = url.protocol === 'https:';
  const tls = { rejectUnauthorized: verifyCertificate, ...(ca === null ? {} : { ca }) };
  const sent: ClientRequest = (isTls ? tlsRequest : plainRequest)(url, {
    method,
    agent: false,
    headers: { ...headers, ...bodyHeaders(method, body) },
    ...(isTls ? tls : {}),
  });
  sent.once('socket', (socket) => socket.once(isTls ? 'secureConnect' : 'connect', () => (connected = true)));
  const end = (kind: NoAnswer['kind']) => (): void => {
    ended ??= kind;
    sent.destroy(new Error(kind));
  };
  const giveUp = end('given up');
  const timer = clock.after(timeoutMs, end('time'));
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    if (signal.aborted) giveUp();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject).end(body);
    });
    return { status: answer.statusCode ?? 0, text: await bodyOf(answer, bytesMax) };
  } catch (error) {
    sent.destroy();
    throw error instanceof NoAnswer ? error : new NoAnswer(ended ?? 'broken', connected, error);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', giveUp);
  }
}
