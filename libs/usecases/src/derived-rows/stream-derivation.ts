import { isRequestStream, plainKinds, type PlainKind } from '@lib/contracts';
import { emptyStream, evolve, evolveResource } from '@lib/domain';
import type { NodeEvent, NodeStream, Resource } from '@lib/domain';
import type { Change, EventMeta, RebuiltRow, RecordedEvent, StreamId } from '@lib/ports';
import { nodeEventOf, uuidOfStream } from '../node-streams';
import { projectResource, resourceEventOf } from '../plain-resources';
import { projectNode } from '../project-node';
import type { ProjectionOptions } from '../project-node';
import { RowSet } from './row-set';

/** An event that cannot follow those before it, or is no JSON. */
export class Unfoldable extends Error {
  constructor(
    readonly event: Pick<RecordedEvent, 'stream' | 'version' | 'position'>,
    why: unknown,
  ) {
    super(`${event.stream} version ${event.version}: ${why instanceof Error ? why.message : String(why)}`);
    this.name = 'Unfoldable';
  }
}

const SOURCE_PREFIX = 'conductor/';

/**
 * Folds one stream, event by event, into the rows that its appends have left. A stream of a concept that this build does
 * not know gives its head only.
 */
export class StreamDerivation {
  private readonly rowSet = new RowSet();
  private readonly fold: Fold;
  private append: RecordedEvent[] = [];
  private commandId: string | null = null;
  private last: RecordedEvent | null = null;

  constructor(
    readonly stream: StreamId,
    options: ProjectionOptions,
  ) {
    const uuid = uuidOfStream(stream);
    if (stream.startsWith('node/')) this.fold = new NodeFold(uuid, options);
    else this.fold = isRequestStream(stream) ? requestFold : plainFold(stream, uuid);
  }

  /** False: the concept belongs to another release. */
  get known(): boolean {
    return this.fold !== unknownFold;
  }

  /** Events come in order. Throws Unfoldable. */
  add(event: RecordedEvent): void {
    const { commandId } = metaOf(event);
    if (this.append.length > 0 && commandId !== this.commandId) this.flush();
    this.commandId = commandId;
    this.append.push(event);
    this.last = event;
  }

  /** All rows, in the order of their creation; throws Unfoldable. */
  rows(): readonly RebuiltRow[] {
    this.flush();
    const { last } = this;
    if (last === null) return [];
    const head = { stream_id: this.stream, version: last.version, removed: this.fold.removed(), hash: last.hash };
    this.rowSet.put({ plain: 'streams' }, head, last.position, 0);
    return this.rowSet.rows();
  }

  /** Derived rows follow from an append as a whole: documents show its last version. */
  private flush(): void {
    const [first] = this.append;
    if (first === undefined) return;
    const changes = this.fold.changes(this.append);
    this.append = [];
    this.rowSet.apply(changes, first.position);
  }
}

/** What knows how to fold the streams of one concept. */
interface Fold {
  changes(append: readonly RecordedEvent[]): readonly Change[];
  /** Null: unknown. */
  removed(): boolean | null;
}

const unknownFold: Fold = { changes: () => [], removed: () => null };

/** Keys of requests are found in their own streams and in nothing beside. */
const requestFold: Fold = { changes: () => [], removed: () => false };

class NodeFold implements Fold {
  private stream: NodeStream = emptyStream;

  constructor(
    private readonly uuid: string,
    private readonly options: ProjectionOptions,
  ) {}

  changes(append: readonly RecordedEvent[]): readonly Change[] {
    return runsOf(append).flatMap((run) => this.ofRun(run));
  }

  removed(): boolean {
    return this.stream.node === null;
  }

  private ofRun({ events, known }: Run): readonly Change[] {
    const [first] = events;
    if (first === undefined) return [];
    return attempt(first, () => {
      const folded = events.map(({ type, data }) => ({ type, data: JSON.parse(data) }) as NodeEvent);
      // An event of another release counts as version and numbers only (architecture, rule 8).
      const before = known ? this.stream : folded.reduce(evolve, this.stream);
      const version = known ? first.version - 1 : first.version - 1 + events.length;
      const { source, actor } = metaOf(first);
      const host = source.startsWith(SOURCE_PREFIX) ? source.slice(SOURCE_PREFIX.length) : source;
      const from = { uuid: this.uuid, host, actor };
      const projected = projectNode(before, version, known ? folded : [], from, this.options);
      this.stream = projected.stream;
      return projected.changes;
    });
  }
}

interface Run {
  readonly known: boolean;
  readonly events: RecordedEvent[];
}

/** Neighbours that are all known, or all of another release. */
function runsOf(events: readonly RecordedEvent[]): readonly Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const known = attempt(event, () => nodeEventOf(event)) !== null;
    const run = runs.at(-1);
    if (run?.known === known) run.events.push(event);
    else runs.push({ known, events: [event] });
  }
  return runs;
}

function plainFold(stream: StreamId, uuid: string): Fold {
  const kind = plainKinds.find((one) => stream.startsWith(`${one}/`));
  return kind ? new PlainFold(kind, uuid) : unknownFold;
}

class PlainFold implements Fold {
  private resource: Resource = null;

  constructor(
    private readonly kind: PlainKind,
    private readonly uuid: string,
  ) {}

  changes(append: readonly RecordedEvent[]): readonly Change[] {
    return append.flatMap((event) =>
      attempt(event, () => {
        const before = this.resource;
        this.resource = evolveResource(before, resourceEventOf(event));
        return projectResource(this.kind, this.uuid, before, this.resource, event.version);
      }),
    );
  }

  removed(): boolean {
    return this.resource === null;
  }
}

export const metaOf = (event: RecordedEvent): EventMeta => attempt(event, () => JSON.parse(event.meta) as EventMeta);

function attempt<T>(event: RecordedEvent, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Unfoldable ? error : new Unfoldable(event, error);
  }
}
