import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { DocumentKind, DocumentSchema } from '@lib/ports';
import { quoted, type Dialect } from './dialect';
import type { Reading, Sql } from './sql';

export const tableOf = (kind: DocumentKind): string => quoted(`doc_${kind}`);

/** Makes the tables of kinds that are new and adds the columns that a newer release declares. */
export async function makeDocumentTables(sql: Sql, schemas: SchemaIndex): Promise<void> {
  const { dialect } = sql;
  for (const schema of schemas.values()) {
    const table = tableOf(schema.kind);
    await sql.query(createTable(schema, dialect));
    const known = await columnNames(sql, schema.kind);
    for (const [column, type] of Object.entries(schema.columns)) {
      if (known.has(column)) continue;
      await sql.query(`ALTER TABLE ${table} ADD COLUMN ${quoted(column)} ${dialect.columnType[type]}`);
    }
    // Even CREATE INDEX IF NOT EXISTS takes a lock that waits for writers, so those that are there are not named.
    const indexes = await names(sql, dialect.indexesOf(`doc_${schema.kind}`));
    for (const column of schema.indexed) {
      const name = `doc_${schema.kind}__${column}`;
      if (indexes.has(name)) continue;
      await sql.query(`CREATE INDEX ${quoted(name)} ON ${table} (${quoted(column)}${dialect.nulls.index}, seq)`);
    }
  }
}

/** The first declared kind or column that the database does not have yet, null when all are there. */
export async function missingDocumentPart(reading: Reading, schemas: SchemaIndex): Promise<string | null> {
  for (const { kind, columns } of schemas.values()) {
    const known = await columnNames(reading, kind);
    const missing = ['id', ...Object.keys(columns)].find((column) => !known.has(column));
    if (missing !== undefined) return `${kind}.${missing}`;
  }
  return null;
}

function createTable({ kind, columns }: DocumentSchema, { columnType, ...types }: Dialect): string {
  const declared = Object.entries(columns).map(([column, type]) => `${quoted(column)} ${columnType[type]}`);
  const all = [
    `seq ${types.serialKey}`,
    `id ${types.text} NOT NULL UNIQUE`,
    `version ${types.integer} NOT NULL`,
    `json ${types.text} NOT NULL`,
    ...declared,
  ];
  return `CREATE TABLE IF NOT EXISTS ${tableOf(kind)} (${all.join(', ')})`;
}

const columnNames = (reading: Reading, kind: DocumentKind): Promise<ReadonlySet<unknown>> =>
  names(reading, reading.dialect.columnsOf(`doc_${kind}`));

async function names({ query }: Reading, text: string): Promise<ReadonlySet<unknown>> {
  return new Set((await query(text)).map(({ name }) => name));
}
