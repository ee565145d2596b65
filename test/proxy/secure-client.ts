import { request } from 'node:https';
import type { Answer } from '../stack';

export interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that knows the service by its public name only, and checks the certificate against that name. */
export class SecureClient {
  constructor(
    private readonly hostName: string,
    private readonly port: number,
    private readonly certificate: Buffer,
  ) {}

  /** `target` is an absolute address, or a path. Rejects when the connection breaks. */
  call(method: string, target: string, { body, headers = {} }: Sent = {}): Promise<Answer> {
    const url = new URL(target, `https://${this.hostName}:${this.port}`);
    if (url.host !== `${this.hostName}:${this.port}` || url.protocol !== 'https:')
      return Promise.reject(new Error(`${target} leads elsewhere`));
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: false,
          host: '127.0.0.1',
          port: this.port,
          servername: this.hostName,
          ca: this.certificate,
          method,
          path: `${url.pathname}${url.search}`,
          headers: {
            Host: url.host,
            'Content-Type': 'application/json',
            'X-OpenStack-Ironic-API-Version': '1.115',
            ...length,
            ...headers,
          },
          timeout: 90_000,
        },
        (received) => {
          const chunks: Buffer[] = [];
          received.on('data', (chunk: Buffer) => chunks.push(chunk));
          received.on('error', reject);
          received.on('end', () => resolve(answerOf(received, Buffer.concat(chunks).toString('utf8'))));
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`no answer in time: ${method} ${target}`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

interface Received {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

function answerOf({ statusCode = 0, headers }: Received, text: string): Answer {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: statusCode, headers: Object.fromEntries(flat), text, json };
}
