/**
 * Messages between services: requests with one reply, and hints that may be lost.
 * Bodies are bytes, from 1 byte to 64 MiB in both directions (architecture, "The log": large messages go in parts).
 */
export type BusErrorCode =
  /** Nobody serves the subject: the request certainly did not happen. */
  | 'NO_RESPONDERS'
  /**
   * Sent, no reply in time, or no sign of life from whoever took it (seconds after it died, however long the requester
   * would wait for an answer): whether it happened is unknown.
   */
  | 'TIMEOUT'
  /** The broker cannot be reached; nothing was sent. */
  | 'UNAVAILABLE'
  /** This bus was closed. */
  | 'CLOSED'
  /** The body is larger than BUS_BODY_BYTES_MAX. */
  | 'TOO_LARGE';

export class BusError extends Error {
  constructor(
    readonly code: BusErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'BusError';
  }
}

/** The largest body that the contract admits (errors-and-negotiation §7: states/provision, 65536 KiB). */
export const BUS_BODY_BYTES_MAX = 64 * 1024 * 1024 + 64 * 1024;

export interface BusRequest {
  readonly subject: string;
  readonly body: Uint8Array;
}

export interface BusSubscription {
  /** Takes no further message; resolves when the handlers under way have ended. */
  stop(): Promise<void>;
}

export interface MessageBus {
  /**
   * Sends to one member of the queue group that serves the subject. The caller leaves `body` as it is until this settles.
   * Rejects with BusError only (a subject that is none is a bug: TypeError).
   */
  request(subject: string, body: Uint8Array, options: { readonly timeoutMs: number }): Promise<Uint8Array>;

  /**
   * Serves a subject (`*` one word, `>` the rest) as a member of a queue group. Handlers run side by side; a handler that
   * throws leaves the requester without a reply (its TIMEOUT) and is reported to `onError`.
   */
  serve(
    subject: string,
    queue: string,
    handler: (request: BusRequest) => Promise<Uint8Array>,
    onError: (error: unknown, subject: string) => void,
  ): Promise<BusSubscription>;

  /**
   * A hint: best effort, no reply, may be lost; never used for truth. Dropped without a word while the broker cannot be reached.
   * Throws BusError TOO_LARGE above the broker's payload limit (1 MiB by default).
   */
  hint(subject: string, body: Uint8Array): void;

  /** Receives every hint on the subject (no queue group). */
  listen(subject: string, handler: (hint: BusRequest) => void): Promise<BusSubscription>;

  /** True while requests can be sent. */
  connected(): boolean;

  /**
   * Stops serving, lets running handlers answer (they may still send requests), then closes: requests under way that are not
   * answered by then end with CLOSED.
   */
  close(): Promise<void>;
}
