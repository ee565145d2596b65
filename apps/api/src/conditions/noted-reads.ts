import type { DocumentKind, DocumentQuery, ReadModel, StoredDocument } from '@lib/ports';

/** The read model as one request sees it; remembers the document of a kind that was read last: what the answer shows. */
export class NotedReads implements ReadModel {
  seen: StoredDocument | undefined;

  constructor(
    private readonly readModel: ReadModel,
    private readonly kind: DocumentKind,
  ) {}

  async get(kind: DocumentKind, ids: readonly string[]): Promise<StoredDocument[]> {
    return this.noted(kind, await this.readModel.get(kind, ids));
  }

  async list(query: DocumentQuery): Promise<StoredDocument[] | null> {
    return this.noted(query.kind, await this.readModel.list(query));
  }

  count: ReadModel['count'] = (kind, where, most) => this.readModel.count(kind, where, most);
  owners: ReadModel['owners'] = (index, values) => this.readModel.owners(index, values);
  deadlines: ReadModel['deadlines'] = (until, limit) => this.readModel.deadlines(until, limit);
  readBlob: ReadModel['readBlob'] = (hash) => this.readModel.readBlob(hash);
  close: ReadModel['close'] = () => this.readModel.close();

  private noted<T extends StoredDocument[] | null>(kind: DocumentKind, documents: T): T {
    if (kind === this.kind) this.seen = documents?.at(-1) ?? this.seen;
    return documents;
  }
}
