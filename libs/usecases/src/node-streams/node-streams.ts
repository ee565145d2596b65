import { emptyStream, evolve } from '@lib/domain';
import type { NodeEvent, NodeStream } from '@lib/domain';
import { isKnownEvent } from './known-events';
import type { EventReader, RecordedEvent } from '@lib/ports';

export interface LoadedNode {
  /** Version of the last event folded, 0 for an empty stream. */
  readonly version: number;
  readonly stream: NodeStream;
}

export const nodeStreamId = (uuid: string): string => `node/${uuid}`;
export const uuidOfStream = (stream: string): string => stream.slice(stream.indexOf('/') + 1);

const PAGE = 1000;

/** Folds recorded events onto a state; of unknown types only the version and the numbers they used count. */
export function foldRecorded(from: LoadedNode, events: readonly RecordedEvent[]): LoadedNode {
  return events.reduce<LoadedNode>(({ stream }, { type, data, version }) => {
    const event = { type, data: JSON.parse(data) } as NodeEvent;
    // Where there is no node, an event of another release has nothing to be carried by.
    return { version, stream: stream.node || isKnownEvent(type) ? evolve(stream, event) : stream };
  }, from);
}

/** Node state is the fold of its stream, cached by version, never read back from the read model. */
export class NodeStreams {
  private readonly cache = new Map<string, LoadedNode>();
  /** Streams that may be further than what is cached, although nobody else appends. */
  private readonly doubtful = new Set<string>();

  constructor(
    private readonly reader: Pick<EventReader, 'readStream'>,
    private readonly cachedMax: number,
    /** What is cached is the newest: every append to a node's stream is remembered, or doubted, here. */
    private readonly soleWriter = false,
  ) {}

  /** The newest state: what is cached plus what was appended since. With `trust` the cache is taken as it is. */
  async load(uuid: string, trust: boolean): Promise<LoadedNode> {
    const cached = this.cache.get(uuid);
    const sure = trust || (this.soleWriter && !this.doubtful.has(uuid));
    if (cached && sure) return cached;
    let loaded: LoadedNode = cached ?? { version: 0, stream: emptyStream };
    for (;;) {
      const page = await this.reader.readStream(nodeStreamId(uuid), loaded.version, PAGE);
      loaded = foldRecorded(loaded, page);
      if (page.length < PAGE) break;
    }
    this.keep(uuid, loaded);
    return loaded;
  }

  /** What an append made of the stream: the newest again. */
  remember(uuid: string, loaded: LoadedNode): void {
    this.keep(uuid, loaded);
    this.doubtful.delete(uuid);
  }

  /** Keeps the newer of what it has and what it gets; the longest unused goes first. */
  private keep(uuid: string, loaded: LoadedNode): void {
    const cached = this.cache.get(uuid);
    if (cached && cached.version > loaded.version) return;
    this.cache.delete(uuid);
    this.cache.set(uuid, loaded);
    if (this.cache.size <= this.cachedMax) return;
    const oldest = this.cache.keys().next();
    if (!oldest.done) this.cache.delete(oldest.value);
  }

  /** The stream may be further than what is kept, until an append is remembered: a look that wants the newest reads on. */
  doubt(uuid: string): void {
    this.doubtful.add(uuid);
  }
}
