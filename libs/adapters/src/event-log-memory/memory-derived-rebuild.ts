import { keyOf, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { DerivedRow, DerivedTablesRebuild, RebuiltRow } from '@lib/ports';
import type { MemoryStore } from './memory-store';

/** Gathers the rows and puts them in at once: nobody sees a store that is half rebuilt. */
export class MemoryDerivedRebuild implements DerivedTablesRebuild {
  private rows: RebuiltRow[] = [];

  constructor(
    private readonly store: MemoryStore,
    private readonly schemas: SchemaIndex,
    private readonly ready: () => void,
  ) {}

  async begin(): Promise<void> {
    this.ready();
    this.rows = [];
  }

  async add(rows: readonly RebuiltRow[]): Promise<void> {
    this.rows.push(...rows);
  }

  async discard(): Promise<void> {
    this.rows = [];
  }

  async swap(head: number): Promise<void> {
    this.ready();
    const { store } = this;
    if (store.view.position !== head) {
      throw new Error('The log has grown meanwhile: another process writes it; stop it first. Nothing was changed.');
    }
    this.swapDocuments();
    this.swapHeads();
    this.swapKeys();
    store.deadlines.clear();
    for (const { stream_id, n, attempt, due, status } of this.plain('deadlines')) {
      const [stream, number] = [String(stream_id), Number(n)];
      const deadline = { stream, n: number, attempt: Number(attempt), due: Number(due) };
      store.deadlines.set(JSON.stringify([stream, number]), {
        ...deadline,
        status: status === 'held' ? 'held' : 'open',
      });
    }
    store.effects.replace(
      this.plain('effects').map(({ stream_id, n, attempt, json }) => ({
        stream: String(stream_id),
        n: Number(n),
        attempt: attempt == null ? null : Number(attempt),
        json: String(json),
      })),
    );
    this.rows = [];
  }

  private swapDocuments(): void {
    const { documents } = this.store;
    for (const [kind, { columns }] of this.schemas) {
      documents.clear(kind);
      for (const row of this.ordered().filter(({ table }) => 'kind' in table && table.kind === kind)) {
        const { id, version, json } = row.row;
        documents.apply({
          change: 'put',
          kind,
          id: String(id),
          version: Number(version),
          json: String(json),
          columns: Object.fromEntries(Object.keys(columns).map((name) => [name, row.row[name] ?? null])),
        });
      }
    }
  }

  private swapHeads(): void {
    const { view, byCommand, events } = this.store;
    view.streams.clear();
    for (const { stream_id, version, removed, hash } of this.plain('streams')) {
      view.streams.set(String(stream_id), { version: Number(version), removed: removed === true, hash: String(hash) });
    }
    view.commands.clear();
    byCommand.clear();
    for (const { command_id, first_position, last_position } of this.plain('commands')) {
      view.commands.add(String(command_id));
      byCommand.set(String(command_id), events.slice(Number(first_position) - 1, Number(last_position)));
    }
  }

  private swapKeys(): void {
    const { owners } = this.store.view;
    owners.clear();
    for (const { index_name, value, owner } of this.plain('unique_keys')) {
      owners.set(keyOf(String(index_name), String(value)), String(owner));
    }
  }

  private plain(name: string): DerivedRow[] {
    return this.ordered()
      .filter(({ table }) => 'plain' in table && table.plain === name)
      .map(({ row }) => row);
  }

  private ordered(): RebuiltRow[] {
    return this.rows.sort((a, b) => a.position - b.position || a.index - b.index);
  }
}
