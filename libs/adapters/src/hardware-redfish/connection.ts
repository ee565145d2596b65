import type { JsonObject } from '@lib/domain';
import type { Clock } from '@lib/ports';
import { pause } from '../bounded-call';
import type { BmcAccess } from './driver-info';
import { BmcNonsense, BmcRefused, BmcUnreachable, HardwareError } from './hardware-error';
import type { RedfishOptions } from './options';
import { Pool } from './pool';
import type { HttpAnswer } from './pool';
import { Credentials, isAccessError } from './session';
import type { Account } from './session';
import { errorIn, isObject, pathIn } from './wire';

export interface Told {
  readonly document: JsonObject;
  /** Of this state of the resource; null where the BMC has none. */
  readonly etag: string | null;
}

/** Of one call: who gives up, and what is asked between two requests. */
export interface Turn {
  readonly signal: AbortSignal;
  stillStands(): Promise<void>;
}

const REDIRECTS_MAX = 3;
const FIXED_HEADERS = {
  'OData-Version': '4.0',
  Accept: 'application/json',
  'Content-Type': 'application/json',
  'Accept-Encoding': 'identity',
};

/** Talks to one BMC, with its retries (contract: redfish.md §2). */
export class BmcConnection {
  private readonly pool: Pool;
  private readonly credentials: Credentials;
  private root: JsonObject | null = null;

  constructor(
    readonly access: BmcAccess,
    private readonly options: RedfishOptions,
    private readonly clock: Clock,
  ) {
    this.pool = new Pool(access, options, clock);
    this.credentials = new Credentials(access.account, access.authType, (account) => this.openSession(account));
  }

  /** The service root, which needs no account. */
  async serviceRoot(turn: Turn): Promise<JsonObject> {
    this.root ??= await this.persistently(turn, async () => this.readRoot(turn.signal));
    return this.root;
  }

  /** Reads a resource, again where that may help. */
  async get(path: string, turn: Turn): Promise<Told> {
    await this.serviceRoot(turn);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.persistently(turn, async () => this.read(path, turn.signal));
      } catch (error) {
        if (!(error instanceof BmcRefused) || !error.isServerSide) throw error;
        if (tries > this.options.serverErrorAttempts) throw counted(error, tries);
        await pause(this.options.serverErrorRetryMs, this.clock, turn.signal);
      }
    }
  }

  /** Reads a resource once: for looks that are repeated anyway. */
  async look(path: string, turn: Turn): Promise<Told> {
    await turn.stillStands();
    return this.read(path, turn.signal);
  }

  /** Changes something, once: whether it may be said again, the caller knows. */
  async change(
    method: 'POST' | 'PATCH',
    path: string,
    body: object,
    turn: Turn,
    etag: string | null = null,
  ): Promise<void> {
    await this.serviceRoot(turn);
    await turn.stillStands();
    const headers: Record<string, string> = etag === null ? {} : { 'If-Match': etag };
    const answer = await this.authenticated(method, path, turn.signal, headers, JSON.stringify(body));
    throwIfRefused(answer, `The BMC ${this.access.origin} answered ${method} ${path}`);
  }

  /** The same again where the connection failed or the account was refused: for changes that may be said twice. */
  changeSafely(
    method: 'POST' | 'PATCH',
    path: string,
    body: object,
    turn: Turn,
    etag: string | null = null,
  ): Promise<void> {
    return this.persistently(turn, () => this.change(method, path, body, turn, etag));
  }

  close(): void {
    this.pool.close();
  }

  private async readRoot(signal: AbortSignal): Promise<JsonObject> {
    const answer = await this.send('GET', this.access.root, signal, {});
    throwIfRefused(answer, `The BMC ${this.access.origin} answered GET ${this.access.root}`);
    return documentIn(answer, this.access.root);
  }

  private async read(path: string, signal: AbortSignal): Promise<Told> {
    const answer = await this.authenticated('GET', path, signal);
    throwIfRefused(answer, `The BMC ${this.access.origin} answered GET ${path}`);
    const document = documentIn(answer, path);
    const { etag } = answer.headers;
    const inside = document['@odata.etag'];
    return { document, etag: etag ?? (typeof inside === 'string' ? inside : null) };
  }

  /** Tries again what may have failed by chance: a connection, or an account that a BMC under load does not know. */
  private async persistently<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        await turn.stillStands();
        return await work();
      } catch (error) {
        if (turn.signal.aborted) throw error;
        if (!(error instanceof BmcUnreachable) && !isAccessError(error)) throw error;
        if (tries >= this.options.connectionAttempts) throw counted(error as HardwareError, tries);
        await pause(this.options.connectionRetryMs, this.clock, turn.signal);
      }
    }
  }

  /** With a session that is good no longer: authenticates once more and repeats the request. */
  private async authenticated(
    method: string,
    path: string,
    signal: AbortSignal,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<HttpAnswer> {
    const send = async () =>
      this.send(method, path, signal, { ...headers, ...(await this.credentials.headers()) }, body);
    const answer = await send();
    const isOut = answer.status === 401 || answer.status === 403;
    if (!isOut || !this.credentials.usesSession) return answer;
    this.credentials.forget();
    return send();
  }

  private async send(
    method: string,
    path: string,
    signal: AbortSignal,
    headers: Record<string, string>,
    body?: string,
  ): Promise<HttpAnswer> {
    let at = path;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.pool.send(
        { method, path: at, headers: { ...FIXED_HEADERS, ...headers }, body },
        signal,
      );
      const { location } = answer.headers;
      if (![301, 302, 307, 308].includes(answer.status) || !location || redirects >= REDIRECTS_MAX) return answer;
      const target = new URL(location, `${this.access.origin}${at}`);
      // What an account is good for is not shown to other hosts.
      if (target.origin !== this.access.origin) return answer;
      at = `${target.pathname}${target.search}`;
    }
  }

  private async openSession({ username, password }: Account): Promise<string> {
    const links = this.root?.['Links'];
    const path = (isObject(links) ? pathIn(links['Sessions']) : null) ?? `${this.access.root}SessionService/Sessions`;
    const body = JSON.stringify({ UserName: username, Password: password });
    // Whoever asked first may give up; the others wait for this session as well.
    const answer = await this.send('POST', path, new AbortController().signal, {}, body);
    throwIfRefused(answer, `The BMC ${this.access.origin} opened no session`);
    const token = answer.headers['x-auth-token'];
    if (typeof token !== 'string')
      throw new HardwareError(`The BMC ${this.access.origin} opened a session without a token`);
    return token;
  }
}

function throwIfRefused({ status, text }: HttpAnswer, what: string): void {
  if (status >= 200 && status < 300) return;
  const { message, messageIds } = errorIn(text);
  throw new BmcRefused(status, messageIds, message, what);
}

function documentIn({ text }: HttpAnswer, path: string): JsonObject {
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return document;
  } catch {
    // Told below.
  }
  throw new BmcNonsense(`The BMC answered GET ${path} with something that is no JSON object`);
}

/** How often it was tried belongs to what went wrong. */
function counted<E extends HardwareError>(error: E, tries: number): E {
  error.message = `${error.message} (${tries} tries)`;
  return error;
}
