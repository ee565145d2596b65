import type { PlainKind } from '@lib/contracts';
import { emptyStream, evolveResource } from '@lib/domain';
import type { Resource } from '@lib/domain';
import type { EventReader, RecordedEvent } from '@lib/ports';
import { foldRecorded } from '../node-streams';
import type { LoadedNode } from '../node-streams';
import { resourceEventOf, resourceStreamId } from '../plain-resources';

const PAGE = 1000;
const NODES_MAX = 5_000;

type Reader = Pick<EventReader, 'readStream'>;

/** Events of a stream behind `after`, up to and with the version `upTo`. */
async function* pages(reader: Reader, stream: string, after: number, upTo: number): AsyncGenerator<RecordedEvent[]> {
  for (let version = after; version < upTo;) {
    const page = await reader.readStream(stream, version, Math.min(PAGE, upTo - version));
    if (page.length === 0) return;
    yield page;
    version = page.at(-1)?.version ?? upTo;
  }
}

/** What resources were at any version, from their streams. Those of nodes are kept, since their events come one after the other. */
export class Past {
  private readonly nodes = new Map<string, LoadedNode>();

  constructor(
    private readonly reader: Reader,
    private readonly nodesMax = NODES_MAX,
  ) {}

  /** The node as it was at a version of its stream; 0: before its first event. */
  async node(stream: string, version: number): Promise<LoadedNode> {
    const kept = this.nodes.get(stream);
    let loaded: LoadedNode = kept && kept.version <= version ? kept : { version: 0, stream: emptyStream };
    for await (const page of pages(this.reader, stream, loaded.version, version)) loaded = foldRecorded(loaded, page);
    this.keep(stream, loaded);
    return loaded;
  }

  /** The longest unused goes first. */
  keep(stream: string, loaded: LoadedNode): void {
    this.nodes.delete(stream);
    this.nodes.set(stream, loaded);
    if (this.nodes.size <= this.nodesMax) return;
    const oldest = this.nodes.keys().next();
    if (!oldest.done) this.nodes.delete(oldest.value);
  }

  async resource(kind: PlainKind, uuid: string, version: number): Promise<Resource> {
    let resource: Resource = null;
    for await (const page of pages(this.reader, resourceStreamId(kind, uuid), 0, version)) {
      resource = page.map(resourceEventOf).reduce<Resource>(evolveResource, resource);
    }
    return resource;
  }
}
