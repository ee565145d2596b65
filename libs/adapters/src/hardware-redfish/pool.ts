import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@lib/ports';
import { HttpConnections, NoAnswer } from '../http-exchange';
import type { HttpAnswer, HttpAsk, Tls } from '../http-exchange';
import type { BmcAccess } from './driver-info';
import { BmcUnreachable, HardwareError } from './hardware-error';
import type { RedfishOptions } from './options';

export type { HttpAnswer, HttpAsk };

/** Management controllers are small: more requests at once than this do not make one faster. */
const SOCKETS_MAX = 4;
/** A connection that nobody uses is closed after this. */
const IDLE_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

type Limits = Pick<RedfishOptions, 'connectTimeoutMs' | 'readTimeoutMs'>;

/** The connections to one BMC: what hangs there keeps nothing else waiting. */
export class Pool {
  /** For reads; a connection that is kept may have been closed by the BMC just now, and a read can be repeated. */
  private readonly kept: HttpConnections;
  /** For changes: a connection each. */
  private readonly fresh: HttpConnections;

  constructor(
    private readonly access: Pick<BmcAccess, 'origin' | 'verify'> & { readonly tls?: Tls },
    private readonly limits: Limits,
    private readonly clock: Clock,
  ) {
    const { origin, verify, tls } = access;
    const bounds = { connectionsMax: SOCKETS_MAX, bytesMax: ANSWER_BYTES_MAX };
    const way = { origin, tls: { ...trust(verify), ...tls }, connectTimeoutMs: limits.connectTimeoutMs, ...bounds };
    this.kept = new HttpConnections({ ...way, idleMsMax: IDLE_MS_MAX });
    this.fresh = new HttpConnections({ ...way, idleMsMax: null });
  }

  /** One exchange. Rejects with BmcUnreachable where no whole answer came. */
  async send(ask: HttpAsk, signal: AbortSignal): Promise<HttpAnswer> {
    try {
      return await this.exchange(ask, signal);
    } catch (error) {
      throw error instanceof NoAnswer ? this.silence(error) : error;
    }
  }

  close(): void {
    this.kept.close();
    this.fresh.close();
  }

  private async exchange(ask: HttpAsk, signal: AbortSignal): Promise<HttpAnswer> {
    const { connectTimeoutMs, readTimeoutMs } = this.limits;
    // Also while it waits for one of the few connections.
    const patience = { queueMs: readTimeoutMs + connectTimeoutMs, silenceMs: readTimeoutMs };
    const by = { patience, clock: this.clock, signal };
    if (ask.method !== 'GET') return this.fresh.exchange(ask, by);
    try {
      return await this.kept.exchange(ask, by);
    } catch (error) {
      const isStale = error instanceof NoAnswer && error.kind === 'broken' && error.reach === 'asked';
      if (!isStale) throw error;
      return this.fresh.exchange(ask, by);
    }
  }

  private silence(error: NoAnswer): HardwareError {
    if (error.kind === 'given up') return new HardwareError(error.message);
    return new BmcUnreachable(`The BMC ${this.access.origin} could not be reached: ${this.why(error)}`);
  }

  private why({ kind, message }: NoAnswer): string {
    const { connectTimeoutMs, readTimeoutMs } = this.limits;
    switch (kind) {
      case 'queue':
        return `it is busy with other requests within ${(readTimeoutMs + connectTimeoutMs) / 1000} seconds`;
      case 'connection':
        return `no connection within ${connectTimeoutMs / 1000} seconds`;
      case 'time':
        return `no answer within ${readTimeoutMs / 1000} seconds`;
      case 'size':
        return `its answer is larger than ${ANSWER_BYTES_MAX} bytes`;
      default:
        return message;
    }
  }
}

function trust(verify: boolean | string): Tls {
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
