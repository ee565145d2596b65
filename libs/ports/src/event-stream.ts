/** Where committed events are published: a fan-out and a wake-up, never the truth (architecture, rule 6). */
export interface PublishedEvent {
  readonly position: number;
  readonly subject: string;
  readonly body: Uint8Array;
}

export type PublishResult =
  | { readonly outcome: 'published' }
  /** The stream's last message is not the one before this: someone else published, or it was lost. Read the cursor again. */
  | { readonly outcome: 'out-of-step' }
  /** The broker refused this message for a reason of its own (size, limits). */
  | { readonly outcome: 'refused'; readonly reason: string };

export interface EventStream {
  /** Position of the last message in the stream, null when it is empty. Creates the stream when it is not there. */
  cursor(): Promise<number | null>;
  /**
   * Publishes one event with id `<logId>:<position>` on the condition that the last message is `after`
   * (null: the stream is empty). Rejects with BusError when the broker cannot be reached.
   */
  publish(event: PublishedEvent, after: number | null): Promise<PublishResult>;
  close(): Promise<void>;
}
