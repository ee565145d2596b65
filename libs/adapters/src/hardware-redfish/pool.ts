import { setMaxListeners } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import type { Clock, Timer } from '@lib/ports';
import type { BmcAccess } from './driver-info';
import { BmcUnreachable, HardwareError } from './hardware-error';
import type { RedfishOptions } from './options';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface HttpAsk {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Management controllers are small: more requests at once than this do not make one faster. */
const SOCKETS_MAX = 4;
/** A connection that nobody uses is closed after this. */
const IDLE_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** The BMC had closed the connection before the request came. */
class StaleConnection extends BmcUnreachable {}

type Limits = Pick<RedfishOptions, 'connectTimeoutMs' | 'readTimeoutMs'>;

/** The connections to one BMC: what hangs there keeps nothing else waiting. */
export class Pool {
  /** For reads; a connection that is kept may have been closed by the BMC just now, and a read can be repeated. */
  private readonly kept: HttpAgent | HttpsAgent;
  /** For changes: a connection each. */
  private readonly fresh: HttpAgent | HttpsAgent;
  private readonly isTls: boolean;

  constructor(
    private readonly access: Pick<BmcAccess, 'origin' | 'verify'>,
    private readonly limits: Limits,
    private readonly clock: Clock,
  ) {
    this.isTls = access.origin.startsWith('https:');
    const tls = this.isTls ? trust(access.verify) : {};
    const agent = (keepAlive: boolean) => {
      const options = { keepAlive, maxSockets: SOCKETS_MAX, timeout: IDLE_MS_MAX };
      return this.isTls ? new HttpsAgent({ ...options, ...tls }) : new HttpAgent(options);
    };
    this.kept = agent(true);
    this.fresh = agent(false);
  }

  /** One exchange. Rejects with BmcUnreachable where no whole answer came. */
  async send(ask: HttpAsk, signal: AbortSignal): Promise<HttpAnswer> {
    try {
      return await this.exchange(ask, this.agentFor(ask), signal);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.exchange(ask, this.fresh, signal);
    }
  }

  private agentFor({ method }: HttpAsk): HttpAgent | HttpsAgent {
    return method === 'GET' ? this.kept : this.fresh;
  }

  private exchange(
    { method, path, headers, body }: HttpAsk,
    agent: HttpAgent | HttpsAgent,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { origin } = this.access;
    // One signal may end any number of requests; each takes its listener back.
    setMaxListeners(0, signal);
    return new Promise((resolve, reject) => {
      const send = this.isTls ? httpsRequest : httpRequest;
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const request = send(`${origin}${path}`, { method, agent, headers: { ...headers, ...length }, signal });
      const patience = new Patience(request, this.limits, this.clock);
      let isAnswered = false;
      const failed = (error: Error): void => {
        patience.end();
        if (signal.aborted) {
          reject(new HardwareError('the call was given up'));
          return;
        }
        const isStale = request.reusedSocket && patience.why === null && !isAnswered;
        const text = `The BMC ${origin} could not be reached: ${patience.why ?? reasonOf(error)}`;
        reject(isStale ? new StaleConnection(text) : new BmcUnreachable(text));
      };
      request.on('error', failed);
      request.on('response', (response) => {
        isAnswered = true;
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          patience.heard();
          chunks.push(chunk);
          size += chunk.length;
          if (size > ANSWER_BYTES_MAX)
            request.destroy(new Error(`its answer is larger than ${ANSWER_BYTES_MAX} bytes`));
        });
        response.on('error', failed);
        response.on('end', () => {
          patience.end();
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      request.end(body);
    });
  }

  close(): void {
    this.kept.destroy();
    this.fresh.destroy();
  }
}

/** The two limits of an exchange: until it is connected, then the silence in between. */
class Patience {
  why: string | null = null;
  private timer: Timer | null = null;

  constructor(
    private readonly request: ClientRequest,
    private readonly limits: Limits,
    private readonly clock: Clock,
  ) {
    // Also while it waits for one of the few connections.
    this.wait(limits.readTimeoutMs + limits.connectTimeoutMs, 'it is busy with other requests');
    request.on('socket', (socket) => {
      if (request.reusedSocket) {
        this.heard();
        return;
      }
      this.wait(limits.connectTimeoutMs, 'no connection');
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => this.heard());
    });
  }

  heard(): void {
    this.wait(this.limits.readTimeoutMs, 'no answer');
  }

  end(): void {
    this.timer?.cancel();
    this.timer = null;
  }

  private wait(ms: number, what: string): void {
    if (this.why !== null || this.request.destroyed) return;
    this.timer?.cancel();
    this.timer = this.clock.after(ms, () => {
      this.why = `${what} within ${ms / 1000} seconds`;
      this.request.destroy(new Error(this.why));
    });
  }
}

const reasonOf = (error: Error): string => {
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || 'the connection failed';
};

function trust(verify: boolean | string): { rejectUnauthorized: boolean; ca?: string[] } {
  if (typeof verify === 'boolean') return { rejectUnauthorized: verify };
  return { rejectUnauthorized: true, ca: certificatesIn(verify) };
}

/** All of a file, or of the files in a folder, that are certificates. */
function certificatesIn(path: string): string[] {
  const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => text.includes('-----BEGIN CERTIFICATE-----'));
}
