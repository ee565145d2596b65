import { openMemoryLog } from '@lib/adapters/event-log-memory';
import type { MemoryLog } from '@lib/adapters/event-log-memory';
import { documentSchemas } from '@lib/contracts';
import type { PlainKind } from '@lib/contracts';
import { emptyStream, evolveResource } from '@lib/domain';
import type { NodeStream, Resource } from '@lib/domain';
import type { Change, RecordedEvent } from '@lib/ports';
import { nodeEventOf, projectNode, projectResource, resourceEventOf, uuidOfStream } from '@lib/usecases';

interface Meta {
  readonly commandId: string;
  readonly actor: string | null;
  readonly source: string;
}

/** As the conductors of the day project. */
const projection = { errorCharsMax: 4096, historyEntriesMax: 300 };

/** Runs of events that one append wrote to one stream, in order. */
function appends(events: readonly RecordedEvent[]): RecordedEvent[][] {
  const runs: RecordedEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1)?.at(-1);
    if (last && last.stream === event.stream && last.meta === event.meta) runs.at(-1)?.push(event);
    else runs.push([event]);
  }
  return runs;
}

class Projector {
  private readonly nodes = new Map<string, NodeStream>();
  private readonly resources = new Map<string, Resource>();

  changesOf(run: readonly RecordedEvent[]): readonly Change[] {
    const [first] = run;
    if (!first) return [];
    return first.stream.startsWith('node/') ? this.node(first, run) : this.plain(first, run);
  }

  private node({ stream, version, meta }: RecordedEvent, run: readonly RecordedEvent[]): readonly Change[] {
    const { source, actor } = JSON.parse(meta) as Meta;
    const before = this.nodes.get(stream) ?? emptyStream;
    const events = run.map(nodeEventOf).filter((event) => event !== null);
    const from = { uuid: uuidOfStream(stream), host: source.slice(source.indexOf('/') + 1), actor };
    const projected = projectNode(before, version - 1, events, from, projection);
    this.nodes.set(stream, projected.stream);
    return projected.changes;
  }

  private plain({ stream, version }: RecordedEvent, run: readonly RecordedEvent[]): readonly Change[] {
    const before = this.resources.get(stream) ?? null;
    const after = run.map(resourceEventOf).reduce<Resource>(evolveResource, before);
    this.resources.set(stream, after);
    const kind = stream.slice(0, stream.indexOf('/')) as PlainKind;
    return projectResource(kind, uuidOfStream(stream), before, after, version + run.length - 1);
  }
}

/** Everything that derives from the log, in an order of its own. */
async function derived({ store, readModel }: MemoryLog): Promise<string[]> {
  const rows: string[] = [];
  for (const { kind } of documentSchemas) {
    const all = await readModel.list({ kind, where: [], sort: { column: 'seq', descending: false }, limit: 100_000 });
    for (const { id, version, json } of all ?? []) rows.push(`${kind} ${id} ${version} ${json}`);
  }
  for (const [key, owner] of store.view.owners) rows.push(`key ${key} ${owner}`);
  for (const deadline of store.deadlines.values()) rows.push(`deadline ${JSON.stringify(deadline)}`);
  for (const effect of store.effects.claims.keys()) rows.push(`effect ${effect}`);
  return rows.sort();
}

/** Rows that the store has and a fold of its log from the first event has not, or the other way round. */
export async function differences(memory: MemoryLog): Promise<string[]> {
  const again = openMemoryLog({ schemas: documentSchemas, clock: { now: () => 0 } });
  const projector = new Projector();
  const events = await memory.log.readAll(0, 1_000_000);
  for (const [index, run] of appends(events).entries()) {
    const changes = projector.changesOf(run);
    const meta = { commandId: `${index}`, requestId: null, actor: null, source: 'rebuild', at: 0, causation: null };
    const write = {
      stream: `rebuilt/${index}`,
      expected: 'any',
      events: [{ type: 'Rebuilt', schema: 1, data: {} }],
    } as const;
    const result = await again.log.append({ writes: [write], changes, meta });
    if (!result.ok) return [`an append can not be repeated: ${JSON.stringify(result.conflict)}`];
  }
  const [stored, folded] = [new Set(await derived(memory)), new Set(await derived(again))];
  return [
    ...[...stored].filter((row) => !folded.has(row)).map((row) => `only in the store: ${row}`),
    ...[...folded].filter((row) => !stored.has(row)).map((row) => `only in the fold: ${row}`),
  ];
}
