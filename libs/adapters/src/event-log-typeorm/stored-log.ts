import { callCommitListeners, type CommitListener, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Clock, DerivedTables, DerivedTablesRebuild, EffectLeases } from '@lib/ports';
import type { EventLog, EventReader, KeyStore, Liveness, ReadModel } from '@lib/ports';
import type { ClosingStack } from './closing-stack';
import { TypeormDerivedRebuild } from './derived-rebuild';
import { TypeormDerivedTables } from './derived-tables';
import { TypeormEventLog } from './event-log';
import { TypeormEventReader } from './event-reader';
import { keyStoreOf } from './key-store';
import { leasesOf } from './leases';
import { livenessOf, readConductors } from './liveness';
import { TypeormReadModel } from './read-model';
import type { Reading } from './sql';
import { WriteQueue } from './write-queue';
import type { Writer } from './writer';

/** An event log opened for writing, with what lives beside it in its database. */
export interface StoredLog {
  readonly log: EventLog;
  readonly readModel: ReadModel;
  readonly leases: EffectLeases;
  readonly liveness: Liveness;
  readonly keyStore: KeyStore;
  readonly derived: DerivedTables;
  readonly derivedRebuild: DerivedTablesRebuild;
  /** Commits what waits, then closes everything. */
  close(): Promise<void>;
}

/** An event log that other processes write, opened for reading. */
export interface StoredLogReader {
  readonly reader: EventReader;
  readonly readModel: ReadModel;
  readonly liveness: Pick<Liveness, 'conductors'>;
  readonly derived: DerivedTables;
  close(): Promise<void>;
}

export interface StoredLogParts {
  readonly writer: Writer;
  readonly reading: Reading;
  readonly schemas: SchemaIndex;
  readonly clock: Pick<Clock, 'now'>;
  /** Nobody else appends as long as the writer is open. */
  readonly soleWriter: boolean;
}

/** The same rooms on any database. `closing` has closed nothing yet; the queue is closed before what it holds. */
export function storedLog(
  { writer, reading, schemas, clock, soleWriter }: StoredLogParts,
  closing: ClosingStack,
): StoredLog {
  const { query } = reading;
  const listeners = new Set<CommitListener>();
  const queue = new WriteQueue({
    writer,
    schemas,
    clock,
    onCommit: (events) => callCommitListeners(listeners, events),
  });
  closing.push(() => queue.close());
  const close = () => closing.close();
  return {
    log: new TypeormEventLog(query, queue, schemas, listeners, close, soleWriter),
    readModel: new TypeormReadModel(reading, schemas, async () => undefined),
    leases: leasesOf(queue, clock),
    liveness: livenessOf(queue, query),
    keyStore: keyStoreOf(queue, query),
    derived: new TypeormDerivedTables(reading, schemas),
    derivedRebuild: new TypeormDerivedRebuild(queue, schemas),
    close,
  };
}

export function storedLogReader(reading: Reading, schemas: SchemaIndex, close: () => Promise<void>): StoredLogReader {
  const { query } = reading;
  return {
    reader: new TypeormEventReader(query),
    readModel: new TypeormReadModel(reading, schemas, close),
    liveness: { conductors: () => readConductors(query) },
    derived: new TypeormDerivedTables(reading, schemas),
    close,
  };
}
