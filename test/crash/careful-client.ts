import { httpCall, sleep, type Answer } from '../stack';
import type { Asked, Entry, Journal, Wish } from './journal';

const NEWEST = '1.115';
const PATIENCE_MS = 90_000;
const PAUSE_MS = [100, 1_000] as const;
const NO_ANSWER = 0;
const TEXT_KEPT = 400;

export interface Request {
  readonly node: string;
  readonly asked: Asked;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The only conductor has been silent for longer than its heartbeat may stay out: on a slow machine a restart takes that long. */
const isAwaited = ({ status, text }: Entry): boolean => status === 400 && text.includes('No valid host was found');

/** What a client may send again: it was not answered, or told to come again. */
const again = (entry: Entry): boolean => {
  const { status, text } = entry;
  const isLocked = status === 409 && /locked/i.test(text);
  return status === NO_ANSWER || status === 502 || status === 503 || isLocked || isAwaited(entry);
};

/**
 * A client of the Bare Metal API that is careful: it names what it creates, sends again what was not answered, and takes
 * a refusal of a repeated request as a hint that the one before was carried out after all.
 */
export class CarefulClient {
  constructor(
    private readonly apiUrl: string,
    private readonly journal: Journal,
  ) {}

  /** Sends until there is an answer that is worth something, at most 90 s. */
  async ask(request: Request): Promise<Wish['outcome']> {
    const { node, asked } = request;
    const end = performance.now() + PATIENCE_MS;
    let pauseMs: number = PAUSE_MS[0];
    let outcome: Wish['outcome'] = 'given up';
    for (let tried = 1; performance.now() < end; tried += 1) {
      const entry = await this.send(request, tried);
      this.journal.entries.push(entry);
      if (!again(entry)) {
        outcome = entry.status >= 200 && entry.status < 300 ? 'accepted' : 'refused';
        break;
      }
      await sleep(pauseMs);
      pauseMs = Math.min(PAUSE_MS[1], pauseMs * 2);
    }
    this.journal.wishes.push({ node, asked, outcome });
    return outcome;
  }

  /** An answer of 200, or null: it will be asked again soon. */
  async look(path: string): Promise<unknown> {
    const answer = await this.call('GET', path).catch(() => null);
    return answer?.status === 200 ? answer.json : null;
  }

  private async send({ node, asked, method, path, body }: Request, tried: number): Promise<Entry> {
    const startMs = performance.now();
    const answer = await this.call(method, path, body).catch((error: unknown) => String(error));
    const ms = Math.round(performance.now() - startMs);
    if (typeof answer === 'string') {
      return { node, asked, tried, status: NO_ANSWER, requestId: null, text: answer, ms };
    }
    const requestId = answer.headers['x-openstack-request-id'] ?? null;
    return { node, asked, tried, status: answer.status, requestId, text: answer.text.slice(0, TEXT_KEPT), ms };
  }

  private call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { 'X-OpenStack-Ironic-API-Version': NEWEST, 'Content-Type': 'application/json' };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    return httpCall(this.apiUrl, { method, path, headers, ...payload, timeoutMs: PATIENCE_MS });
  }
}
