import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { DocumentKind, DocumentSchema } from '@lib/ports';
import { quoted, sqlite } from './dialect';
import type { Query } from './reader-pool';
import type { Sql } from './sql';

export const tableOf = (kind: DocumentKind): string => quoted(`doc_${kind}`);

/** Makes the tables of kinds that are new and adds the columns that a newer release declares. */
export async function makeDocumentTables(sql: Sql, schemas: SchemaIndex): Promise<void> {
  for (const schema of schemas.values()) {
    await sql.query(createTable(schema));
    const known = await columnNames(sql.query, schema.kind);
    for (const [column, type] of Object.entries(schema.columns)) {
      if (known.has(column)) continue;
      await sql.query(`ALTER TABLE ${tableOf(schema.kind)} ADD COLUMN ${quoted(column)} ${sqlite.columnType[type]}`);
    }
    for (const column of schema.indexed) {
      const name = quoted(`doc_${schema.kind}__${column}`);
      await sql.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${tableOf(schema.kind)} (${quoted(column)}, seq)`);
    }
  }
}

/** The first declared kind or column that the database does not have yet, null when all are there. */
export async function missingDocumentPart(query: Query, schemas: SchemaIndex): Promise<string | null> {
  for (const { kind, columns } of schemas.values()) {
    const known = await columnNames(query, kind);
    const missing = ['id', ...Object.keys(columns)].find((column) => !known.has(column));
    if (missing !== undefined) return `${kind}.${missing}`;
  }
  return null;
}

function createTable({ kind, columns }: DocumentSchema): string {
  const declared = Object.entries(columns).map(([column, type]) => `${quoted(column)} ${sqlite.columnType[type]}`);
  const all = [
    `seq ${sqlite.serialKey}`,
    'id TEXT NOT NULL UNIQUE',
    'version INTEGER NOT NULL',
    'json TEXT NOT NULL',
    ...declared,
  ];
  return `CREATE TABLE IF NOT EXISTS ${tableOf(kind)} (${all.join(', ')})`;
}

async function columnNames(query: Query, kind: DocumentKind): Promise<ReadonlySet<unknown>> {
  const rows = await query(sqlite.columnsOf(`doc_${kind}`));
  return new Set(rows.map(({ name }) => name));
}
