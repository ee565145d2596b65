import { request } from 'node:http';

/** One HTTP answer, read whole. `json` is undefined when the body is empty or not JSON. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
}

export interface Call {
  readonly method: string;
  /** Path and query, appended to the base. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
}

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const withLength = ({ method, headers = {}, body }: Call): Record<string, string> => {
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  if (named.has('content-length')) return { ...headers };
  if (body !== undefined) return { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
  return BODY_METHODS.has(method) ? { ...headers, 'Content-Length': '0' } : { ...headers };
};

/**
 * Sends one request on a connection of its own: a service that is killed between two calls must show as an error of
 * the call it hit, not of a pooled connection. Rejects on connection errors and after `timeoutMs` (default 60 s).
 */
export const httpCall = (base: string, call: Call): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const url = new URL(base);
    const sent = request(
      {
        agent: false,
        host: url.hostname,
        port: url.port,
        method: call.method,
        path: url.pathname.replace(/\/$/, '') + call.path,
        headers: withLength(call),
        timeout: call.timeoutMs ?? 60_000,
      },
      (received) => {
        const chunks: Buffer[] = [];
        received.on('data', (chunk: Buffer) => chunks.push(chunk));
        received.on('error', reject);
        received.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const headers: Record<string, string> = {};
          for (const [name, value] of Object.entries(received.headers)) {
            if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
          }
          resolve({ status: received.statusCode ?? 0, headers, text, json: text === '' ? undefined : parse(text) });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer in time: ${call.method} ${base}${call.path}`)));
    sent.on('error', reject);
    sent.end(call.body);
  });
