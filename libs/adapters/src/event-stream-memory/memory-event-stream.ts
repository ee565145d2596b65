import {
  BusError,
  type EventStream,
  ForeignLogError,
  type PublishedEvent,
  type PublishManyResult,
  type PublishResult,
} from '@lib/ports';

export interface StoredMessage {
  readonly logId: string;
  readonly position: number;
  readonly subject: string;
  readonly body: Uint8Array;
}

const MESSAGE_BYTES_MAX = 1024 * 1024;

/** What the broker keeps: one stream, to which several services (and a second publisher by mistake) may write. */
export class MemoryEventStreamBroker {
  private readonly messages: StoredMessage[] = [];
  private up = true;

  constructor(
    private readonly streamName = 'memory_v1_evt',
    private readonly listeners: ((message: StoredMessage) => void)[] = [],
  ) {}

  open(logId: string): EventStream {
    return new MemoryEventStream(this, logId, this.streamName);
  }

  /** Everything published so far, in order. */
  stored(): readonly StoredMessage[] {
    return this.messages;
  }

  /** Calls `listener` with every message published from now on. */
  onPublished(listener: (message: StoredMessage) => void): void {
    this.listeners.push(listener);
  }

  /** As if the broker were gone, until `restore`. */
  interrupt(): void {
    this.up = false;
  }

  restore(): void {
    this.up = true;
  }

  /** Drops what the stream holds, as its age limit or an operator does. */
  clear(): void {
    this.messages.length = 0;
  }

  last(): StoredMessage | null {
    this.assertUp();
    return this.messages.at(-1) ?? null;
  }

  add(message: StoredMessage): PublishResult {
    if (message.body.length > MESSAGE_BYTES_MAX) {
      return { outcome: 'refused', reason: `${message.body.length} bytes are more than the broker takes` };
    }
    this.messages.push(message);
    for (const listener of this.listeners) listener(message);
    return { outcome: 'published' };
  }

  private assertUp(): void {
    if (!this.up) throw new BusError('UNAVAILABLE', 'the event stream of this process is interrupted');
  }
}

class MemoryEventStream implements EventStream {
  private closed = false;

  constructor(
    private readonly broker: MemoryEventStreamBroker,
    private readonly logId: string,
    private readonly streamName: string,
  ) {}

  async cursor(): Promise<number | null> {
    this.assertOpen();
    const last = this.broker.last();
    if (last === null) return null;
    if (last.logId !== this.logId) throw new ForeignLogError(this.logId, last.logId, this.streamName);
    return last.position;
  }

  async publish(event: PublishedEvent, after: number | null): Promise<PublishResult> {
    this.assertOpen();
    const last = this.broker.last();
    const inStep = last === null ? after === null : last.logId === this.logId && last.position === after;
    if (!inStep) return { outcome: 'out-of-step' };
    const { position, subject, body } = event;
    return this.broker.add({ logId: this.logId, position, subject, body: new Uint8Array(body) });
  }

  async publishMany(events: readonly PublishedEvent[], after: number | null): Promise<PublishManyResult> {
    let previous = after;
    for (const [published, event] of events.entries()) {
      const result = await this.publish(event, previous);
      if (result.outcome !== 'published') return { published, failure: result };
      previous = event.position;
    }
    return { published: events.length, failure: null };
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  private assertOpen(): void {
    if (this.closed) throw new BusError('CLOSED', 'this event stream was closed');
  }
}
