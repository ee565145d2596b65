import { errors } from 'undici';

/** How far a request had come: nobody has seen anything of it, it was being sent, or its answer had begun. */
export type Reach = 'nowhere' | 'asked' | 'answered';

/**
 * `queue`: no connection was free for it in time. `connection`: none could be made in time. `time`: it took, or the
 * peer was silent, for too long.
 */
export type NoAnswerKind = 'queue' | 'connection' | 'time' | 'size' | 'broken' | 'given up';

const SENTENCES: Readonly<Record<Exclude<NoAnswerKind, 'broken'>, string>> = {
  queue: 'no connection was free in time',
  connection: 'no connection was made in time',
  time: 'no answer came in time',
  size: 'the answer is larger than it may be',
  'given up': 'the call was given up',
};

/** Why there is no answer. Its `cause` has the words of the system where there are any; see `reasonIn`. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(
    readonly kind: NoAnswerKind,
    readonly reach: Reach,
    cause?: unknown,
  ) {
    super(kind === 'broken' ? reasonIn(cause).text : SENTENCES[kind], { cause });
  }

  /** A limit of time has passed, whichever. */
  get isLate(): boolean {
    return this.kind === 'queue' || this.kind === 'connection' || this.kind === 'time';
  }

  /** What the library says, in the words of this room. */
  static of(error: Error, reach: Reach): NoAnswer {
    if (error instanceof errors.ResponseExceededMaxSizeError) return new NoAnswer('size', reach, error);
    // The library itself waits for nothing else.
    if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError)
      return new NoAnswer('connection', reach, error);
    return new NoAnswer('broken', reach, inSystemWords(error, reach));
  }
}

/** For a connection that its peer has closed the library has a name of its own; here it is called as one that was reset. */
export function inSystemWords(error: Error, reach: Reach = 'nowhere'): Error {
  if (!(error instanceof errors.SocketError)) return error;
  const text = reach === 'answered' ? 'aborted' : 'socket hang up';
  return Object.assign(new Error(text, { cause: error }), { code: 'ECONNRESET' });
}

/** The system's code (`ECONNREFUSED`), if any, and a sentence; of several addresses that were tried, the first one's. */
export function reasonIn(cause: unknown): { readonly code: string | null; readonly text: string } {
  if (cause instanceof AggregateError) return reasonIn(cause.errors[0]);
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
  const ofSystem = code !== undefined && !code.startsWith('UND_ERR_') ? code : null;
  return { code: ofSystem, text: message || ofSystem || 'the connection failed' };
}
