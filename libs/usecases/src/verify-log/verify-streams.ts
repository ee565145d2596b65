import type { EventReader, RecordedEvent, StreamPlace } from '@lib/ports';
import { pagesAhead } from '../pages-ahead';
import { BlobCheck } from './verify-blobs';
import { compareStreams } from './compare-streams';
import type { StreamSources } from './compare-streams';
import type { Difference } from './difference';
import { keyRows, StreamFold } from './expected-stream';
import type { ExpectedStream } from './expected-stream';
import { StreamChain } from './stream-chain';

const PAGE = 1000;
/** Streams whose rows are held at once. */
const STREAMS_PER_LOOK = 200;

export interface VerifiedStreams {
  readonly streams: number;
  /** Keys that the streams ask for. */
  readonly keys: number;
  /** The most streams whose rows were held at once, with the one being folded. */
  readonly heldMax: number;
}

/** Stream after stream: its chain, its blobs, and its rows, of which a few streams' are held at a time. */
export class StreamsVerifier {
  private readonly blobs: BlobCheck;
  private ended: ExpectedStream[] = [];
  private current: { readonly fold: StreamFold; readonly chain: StreamChain } | null = null;
  private looked = '';
  private streams = 0;
  private keys = 0;
  private heldMax = 0;

  constructor(
    private readonly sources: StreamSources & { readonly reader: Pick<EventReader, 'readStream' | 'readBlob'> },
    private readonly tell: (difference: Difference) => void,
  ) {
    this.blobs = new BlobCheck(sources.reader);
  }

  async run(onRead: (events: number) => void): Promise<VerifiedStreams> {
    const { derived } = this.sources;
    const read = (after: StreamPlace, limit: number) => derived.eventsByStream(after, limit);
    const start: StreamPlace = { stream: '', version: 0 };
    for await (const page of pagesAhead({ read, placeOf: (event): StreamPlace => event, limit: PAGE }, start)) {
      for (const event of page) await this.take(event);
      onRead(page.length);
    }
    this.endStream();
    await this.look(null);
    return { streams: this.streams, keys: this.keys, heldMax: this.heldMax };
  }

  private async take(event: RecordedEvent): Promise<void> {
    if (this.current?.fold.stream !== event.stream) {
      this.endStream();
      if (this.ended.length >= STREAMS_PER_LOOK) await this.look(this.ended.at(-1)?.stream ?? null);
      const { options } = this.sources;
      this.current = { fold: new StreamFold(event.stream, options, this.tell), chain: new StreamChain() };
      this.streams += 1;
      this.heldMax = Math.max(this.heldMax, this.ended.length + 1);
    }
    this.current?.chain.next(event).forEach(this.tell);
    this.current?.fold.add(event);
    (await this.blobs.check(event)).forEach(this.tell);
  }

  private endStream(): void {
    if (!this.current) return;
    const ended = this.current.fold.end();
    this.keys += keyRows(ended.rows ?? []).length;
    this.ended.push(ended);
    this.current = null;
  }

  /** Up to a stream, or to the end of all tables: rows of streams that the log does not have lie between. */
  private async look(upTo: string | null): Promise<void> {
    (await compareStreams(this.ended, { after: this.looked, upTo }, this.sources)).forEach(this.tell);
    this.ended = [];
    this.looked = upTo ?? this.looked;
  }
}
