import { assertWellFormed, type CommitListener, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Append, AppendResult, EventLog } from '@lib/ports';
import { packBlobs } from './blobs';
import { TypeormEventReader } from './event-reader';
import type { Query } from './sql';
import type { WriteQueue } from './write-queue';

export class TypeormEventLog extends TypeormEventReader implements EventLog {
  constructor(
    query: Query,
    private readonly queue: WriteQueue,
    private readonly schemas: SchemaIndex,
    private readonly listeners: Set<CommitListener>,
    readonly close: () => Promise<void>,
    readonly soleWriter: boolean,
  ) {
    super(query);
  }

  async append(append: Append): Promise<AppendResult> {
    assertWellFormed(append, this.schemas);
    const { blobs = [] } = append;
    return this.queue.append({ append, blobs: blobs.length > 0 ? await packBlobs(blobs) : [] });
  }

  onCommit(listener: CommitListener): () => void {
    const own: CommitListener = (events) => listener(events);
    this.listeners.add(own);
    return () => void this.listeners.delete(own);
  }
}
