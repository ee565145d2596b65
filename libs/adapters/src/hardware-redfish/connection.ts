import type { JsonObject } from '@lib/domain';
import type { Clock } from '@lib/ports';
import { pause } from '../bounded-call';
import type { BmcAccess } from './driver-info';
import { BmcNonsense, BmcRefused, BmcUnreachable, counted, HardwareError } from './hardware-error';
import type { RedfishOptions } from './options';
import { Pool } from './pool';
import type { HttpAnswer } from './pool';
import { Credentials, isAccessError } from './session';
import type { Account } from './session';
import { taskEnd } from './task-monitor';
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
const PRECONDITION_FAILED = 412;
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

  /** Asks for something, once: whether it may be said again, the caller knows. Done is what is accepted. */
  async post(path: string, body: object, turn: Turn): Promise<void> {
    await this.change('POST', path, body, turn, {});
  }

  /** As `post`, again where the connection failed or the account was refused; resolves when the BMC has carried it out. */
  async postUntilDone(path: string, body: object, turn: Turn): Promise<void> {
    const answer = await this.persistently(turn, () => this.change('POST', path, body, turn, {}));
    const { location } = answer.headers;
    if (answer.status !== 202 || !location) return;
    const monitor = this.ownPath(location, path);
    if (monitor === null) return;
    const poll = () => this.persistently(turn, () => this.authenticated('GET', monitor, turn.signal));
    throwIfRefused(
      await taskEnd(answer, poll, this.clock, turn.signal),
      `The BMC ${this.access.origin} did not carry out POST ${path}`,
    );
  }

  /**
   * Changes a resource, which may be said twice: again where the connection failed or the account was refused, and where the
   * BMC no longer knows this state of it. Some know states by names that they do not take back (`W/"..."`).
   */
  async patch(path: string, body: object, turn: Turn, etag: string | null): Promise<void> {
    await this.persistently(turn, async () => {
      try {
        return await this.change('PATCH', path, body, turn, ifMatch(etag));
      } catch (error) {
        if (etag === null || !(error instanceof BmcRefused) || error.status !== PRECONDITION_FAILED) throw error;
        const { etag: now } = await this.read(path, turn.signal);
        return await this.change('PATCH', path, body, turn, ifMatch(now?.replace(/^W\//, '') ?? null));
      }
    });
  }

  close(): void {
    this.pool.close();
  }

  private async change(
    method: 'POST' | 'PATCH',
    path: string,
    body: object,
    turn: Turn,
    headers: Record<string, string>,
  ): Promise<HttpAnswer> {
    await this.serviceRoot(turn);
    await turn.stillStands();
    const answer = await this.authenticated(method, path, turn.signal, headers, JSON.stringify(body));
    throwIfRefused(answer, `The BMC ${this.access.origin} answered ${method} ${path}`);
    return answer;
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
      const target = this.ownPath(location, at);
      if (target === null) return answer;
      at = target;
    }
  }

  /** Where a `Location` leads; null where that is another host, to which nothing is shown of what an account is good for. */
  private ownPath(location: string, from: string): string | null {
    const { origin } = this.access;
    if (!URL.canParse(location, `${origin}${from}`)) return null;
    const target = new URL(location, `${origin}${from}`);
    return target.origin === origin ? `${target.pathname}${target.search}` : null;
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

const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'If-Match': etag });

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
