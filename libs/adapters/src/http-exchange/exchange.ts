import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { Clock, Timer } from '@lib/ports';
import { NoAnswer } from './no-answer';
import type { NoAnswerKind, Reach } from './no-answer';

export interface HttpAnswer {
  readonly status: number;
  /** By their names in lower case; of one that came more than once, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Limits by the clock that is handed in; each may be left out. */
export interface Patience {
  /** For all of it, from the request's birth to the last byte of the answer. */
  readonly wholeMs?: number;
  /** Until a connection is its own: while others use the few there are, and while one is made. */
  readonly queueMs?: number;
  /** The longest silence of the peer from then on. */
  readonly silenceMs?: number;
}

export interface Circumstances {
  readonly patience: Patience;
  readonly clock: Clock;
  /** Gives it up. */
  readonly signal?: AbortSignal;
  /** The body of the answer is not waited for, and not read. */
  readonly isHeadEnough?: boolean;
}

/** One request on its way through a pool of connections. @throws NoAnswer */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  circumstances: Circumstances,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const one = new OneExchange(circumstances, resolve, reject);
    // One that was given up before has ended by now, and is not sent.
    if (!one.isOver) pool.dispatch(request, one);
  });
}

class OneExchange implements Dispatcher.DispatchHandler {
  isOver = false;
  private reach: Reach = 'nowhere';
  private control: Dispatcher.DispatchController | null = null;
  private head: Omit<HttpAnswer, 'text'> = { status: 0, headers: {} };
  private readonly parts: Buffer[] = [];
  private readonly whole: Timer | null;
  private step: Timer | null;
  private readonly giveUp = (): void => this.fail('given up');

  constructor(
    private readonly circumstances: Circumstances,
    private readonly resolve: (answer: HttpAnswer) => void,
    private readonly reject: (why: NoAnswer) => void,
  ) {
    const { patience, signal } = circumstances;
    this.whole = this.within(patience.wholeMs, 'time');
    this.step = this.within(patience.queueMs, 'queue');
    if (!signal) return;
    // One signal may end any number of requests; each takes its listener back.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.giveUp, { once: true });
    if (signal.aborted) this.giveUp();
  }

  onRequestStart(control: Dispatcher.DispatchController): void {
    // Given up while it waited: nothing of it has been sent, and nothing is.
    if (this.isOver) return control.abort(new Error('given up'));
    this.control = control;
    this.reach = 'asked';
    this.heard();
  }

  onResponseStart(_control: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.heard();
    if (status < 200) return;
    this.reach = 'answered';
    this.head = { status, headers: firstOfEach(headers) };
    if (!this.circumstances.isHeadEnough) return;
    this.answered();
    this.control?.abort(new Error('no more of it is wanted'));
  }

  onResponseData(_control: unknown, part: Buffer): void {
    this.heard();
    if (!this.isOver) this.parts.push(part);
  }

  onResponseEnd(): void {
    this.answered();
  }

  onResponseError(_control: unknown, error: Error): void {
    if (this.end()) this.reject(NoAnswer.of(error, this.reach));
  }

  private answered(): void {
    if (this.end()) this.resolve({ ...this.head, text: Buffer.concat(this.parts).toString('utf8') });
  }

  private fail(kind: NoAnswerKind): void {
    if (!this.end()) return;
    this.reject(new NoAnswer(kind, this.reach));
    this.control?.abort(new Error(kind));
  }

  private heard(): void {
    this.step?.cancel();
    this.step = this.isOver ? null : this.within(this.circumstances.patience.silenceMs, 'time');
  }

  private within(limitMs: number | undefined, kind: NoAnswerKind): Timer | null {
    return limitMs === undefined ? null : this.circumstances.clock.after(limitMs, () => this.fail(kind));
  }

  /** @returns false where it had ended before */
  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.whole?.cancel();
    this.step?.cancel();
    this.circumstances.signal?.removeEventListener('abort', this.giveUp);
    return true;
  }
}

function firstOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, string>;
}
