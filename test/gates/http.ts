/** One request and its whole answer, on a kept connection. Every answer is held to the shape that all have. */
import { Agent, request } from 'node:http';

export interface Seen {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined when it is empty or no JSON. */
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  /** What stands in error_message, decoded; undefined on success. */
  readonly fault: Readonly<Record<string, unknown>> | undefined;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string goes as it is, anything else as JSON. */
  readonly body?: unknown;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function faultIn(body: unknown): Record<string, unknown> | undefined {
  const text = (body as { error_message?: unknown } | undefined)?.error_message;
  const inner = typeof text === 'string' ? parsed(text) : undefined;
  return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : undefined;
}

export class Http {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly url: URL;

  constructor(base: string) {
    this.url = new URL(base);
  }

  send({ method, path, headers = {}, body }: Asked): Promise<Seen> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const length = { 'Content-Length': String(Buffer.byteLength((text as string | undefined) ?? '')) };
    const { hostname, port } = this.url;
    return new Promise((resolve, reject) => {
      const sent = request(
        { agent: this.agent, hostname, port, method, path, headers: { ...type, ...length, ...headers } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const shown = Buffer.concat(chunks).toString('utf8');
            const json = shown === '' ? undefined : parsed(shown);
            const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
            const status = answer.statusCode ?? 0;
            resolve({ status, headers: Object.fromEntries(named), text: shown, body: json, fault: faultIn(json) });
          });
        },
      );
      sent.on('error', reject);
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
