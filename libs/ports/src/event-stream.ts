/** Where committed events are published: a fan-out and a wake-up, never the truth (architecture, rule 6). */
export interface PublishedEvent {
  readonly position: number;
  readonly subject: string;
  readonly body: Uint8Array;
}

/** How long the stream keeps an event; an empty stream starts at the oldest position that is not older. */
export const EVENT_STREAM_MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

export type PublishFailure =
  /** The stream's last message is not the one before this: someone else published, or it was lost. Read the cursor again. */
  | { readonly outcome: 'out-of-step' }
  /** The broker refused this message for a reason of its own (size, limits). */
  | { readonly outcome: 'refused'; readonly reason: string };

export type PublishResult = { readonly outcome: 'published' } | PublishFailure;

export interface PublishManyResult {
  /** How many events, from the first on, are in the stream. */
  readonly published: number;
  /** What happened to the event after them; null when all are in. Nothing behind it was published. */
  readonly failure: PublishFailure | null;
}

/** The stream holds events of another log: its peers share a broker and a prefix, but not the log (architecture, rule 6). */
export class ForeignLogError extends Error {
  constructor(
    readonly expectedLogId: string,
    /** What the last message names as its log, or its whole id when that is no id of ours. */
    readonly foundLogId: string,
    streamName: string,
  ) {
    super(
      `the stream ${streamName} holds events of the log ${foundLogId}, and this service writes the log ${expectedLogId}: ` +
        'give one of the two another FERROLOG_BUS_PREFIX',
    );
    this.name = 'ForeignLogError';
  }
}

export interface EventStream {
  /**
   * Position of the last message in the stream, null when it is empty. Creates the stream when it is not there.
   * Rejects with ForeignLogError when the last message belongs to another log, with BusError when the broker cannot be reached.
   */
  cursor(): Promise<number | null>;
  /**
   * Publishes one event with id `<logId>:<position>` on the condition that the last message is `after`
   * (null: the stream is empty). Rejects with BusError when the broker cannot be reached; whether the event is in is then
   * unknown: read the cursor again.
   */
  publish(event: PublishedEvent, after: number | null): Promise<PublishResult>;
  /**
   * The same for a run of events in the order of their positions, each on the condition that the one before it is the last
   * message, with a bounded number in flight.
   */
  publishMany(events: readonly PublishedEvent[], after: number | null): Promise<PublishManyResult>;
  close(): Promise<void>;
}
