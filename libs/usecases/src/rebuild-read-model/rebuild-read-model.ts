import type { DerivedTables, DerivedTablesRebuild, EventReader, RebuiltRow, StreamPlace } from '@lib/ports';
import { pagesAhead } from '../pages-ahead';
import { CommandRuns, StreamDerivation } from '../derived-rows';
import type { ProjectionOptions } from '../project-node';

export interface RebuildSources {
  readonly reader: Pick<EventReader, 'head' | 'readAll'>;
  readonly derived: Pick<DerivedTables, 'eventsByStream'>;
  readonly rebuild: DerivedTablesRebuild;
  /** In force: what is kept of errors and history. */
  readonly options: ProjectionOptions;
}

export interface RebuildProgress {
  readonly phase: 'streams' | 'commands' | 'swap';
  readonly events: number;
  readonly of: number;
}

export interface Rebuilt {
  readonly events: number;
  readonly streams: number;
  readonly rows: number;
  /** The most rows held in memory between two writes. */
  readonly rowsHeldMax: number;
}

const PAGE = 1000;
const ROWS_PER_WRITE = 1000;

/**
 * Makes everything that derives from the events anew beside what is there, and puts it in its place in one transaction.
 * Events, leases, keys of secrets and liveness stay as they are. The stack is stopped. Memory is bounded by the largest
 * stream. Rejects with a sentence, and nothing changed, when a stream cannot be folded or belongs to another release.
 */
export async function rebuildReadModel(
  sources: RebuildSources,
  onProgress: (progress: RebuildProgress) => void = () => undefined,
): Promise<Rebuilt> {
  const { reader, rebuild } = sources;
  await rebuild.begin();
  try {
    const head = await reader.head();
    const written = new RowWriter(rebuild);
    const report = (phase: RebuildProgress['phase']) => (events: number) => onProgress({ phase, events, of: head });
    const streams = await rebuildStreams(sources, written, report('streams'));
    await rebuildCommands(sources, written, report('commands'));
    await written.flush();
    report('swap')(head);
    await rebuild.swap(head);
    return { events: head, streams, rows: written.rows, rowsHeldMax: written.heldMax };
  } catch (error) {
    // What stopped the rebuild is what counts; the next one forgets what is left here.
    await rebuild.discard().catch(() => undefined);
    throw error;
  }
}

async function rebuildStreams(
  { derived, options }: RebuildSources,
  written: RowWriter,
  onRead: (events: number) => void,
): Promise<number> {
  let [streams, events] = [0, 0];
  let current: StreamDerivation | null = null;
  const read = (after: StreamPlace, limit: number) => derived.eventsByStream(after, limit);
  const start: StreamPlace = { stream: '', version: 0 };
  for await (const page of pagesAhead({ read, placeOf: (event): StreamPlace => event, limit: PAGE }, start)) {
    for (const event of page) {
      if (current?.stream !== event.stream) {
        if (current) await written.add(current.rows());
        current = derivationOf(event.stream, options);
        streams += 1;
      }
      current.add(event);
    }
    onRead((events += page.length));
  }
  if (current) await written.add(current.rows());
  return streams;
}

function derivationOf(stream: string, options: ProjectionOptions): StreamDerivation {
  const derivation = new StreamDerivation(stream, options);
  if (derivation.known) return derivation;
  throw new Error(
    `Stream ${stream} was written by another release, which has to rebuild this log. Nothing was changed.`,
  );
}

async function rebuildCommands(
  { reader }: RebuildSources,
  written: RowWriter,
  onRead: (events: number) => void,
): Promise<void> {
  const runs = new CommandRuns();
  const toRow = (row: RebuiltRow['row']): RebuiltRow => ({
    table: { plain: 'commands' },
    row,
    position: Number(row['first_position']),
    index: 0,
  });
  const read = (after: number, limit: number) => reader.readAll(after, limit);
  for await (const page of pagesAhead({ read, placeOf: ({ position }) => position, limit: PAGE }, 0)) {
    await written.add(page.flatMap((event) => runs.add(event)).map(toRow));
    onRead(page.at(-1)?.position ?? 0);
  }
  await written.add(runs.end().map(toRow));
}

/** Holds a bounded number of rows back, so that each write is worth its transaction. */
class RowWriter {
  rows = 0;
  heldMax = 0;
  private waiting: RebuiltRow[] = [];

  constructor(private readonly rebuild: DerivedTablesRebuild) {}

  async add(rows: readonly RebuiltRow[]): Promise<void> {
    this.waiting.push(...rows);
    this.rows += rows.length;
    this.heldMax = Math.max(this.heldMax, this.waiting.length);
    if (this.waiting.length >= ROWS_PER_WRITE) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.waiting;
    this.waiting = [];
    if (rows.length > 0) await this.rebuild.add(rows);
  }
}
