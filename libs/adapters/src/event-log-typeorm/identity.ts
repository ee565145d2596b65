import { randomUUID } from 'node:crypto';
import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Instant } from '@lib/ports';
import { makeDocumentTables, missingDocumentPart } from './document-tables';
import type { Reading, Sql } from './sql';

/** Completes a migrated database: the tables of the declared kinds and, the first time, the log's id. */
export async function makeLog(sql: Sql, schemas: SchemaIndex, now: Instant): Promise<void> {
  await makeDocumentTables(sql, schemas);
  await sql.run('INSERT INTO log_identity (one, log_id, created_at) VALUES (1, ?, ?) ON CONFLICT (one) DO NOTHING', [
    randomUUID(),
    now,
  ]);
}

/** Rejects with half a sentence unless the log is all there. */
export async function assertMade(reading: Reading, schemas: SchemaIndex): Promise<void> {
  const [identity] = await reading.query('SELECT log_id FROM log_identity');
  const missing = await missingDocumentPart(reading, schemas);
  if (identity === undefined) throw new Error('it is still being made');
  if (missing !== null) throw new Error(`it has no ${missing}, written by another release`);
}
