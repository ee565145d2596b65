import { createHash } from 'node:crypto';
import type { Append, Blob, Change, DocumentKind, DocumentSchema, Scalar } from '@lib/ports';

export type ColumnType = 'text' | 'integer' | 'boolean';
export type SchemaIndex = ReadonlyMap<DocumentKind, DocumentSchema>;

const name = /^[a-z][a-z0-9_]*$/;
const ownColumns: Readonly<Record<string, ColumnType>> = { id: 'text', seq: 'integer', version: 'integer' };
const reserved = new Set([...Object.keys(ownColumns), 'json']);

/** Checks the declared kinds once, at open: names become table and column names. Throws TypeError. */
export function schemaIndex(schemas: readonly DocumentSchema[]): SchemaIndex {
  const index = new Map<DocumentKind, DocumentSchema>();
  for (const schema of schemas) {
    must(name.test(schema.kind), `document kind ${schema.kind}: not a name`);
    must(!index.has(schema.kind), `document kind ${schema.kind}: declared twice`);
    for (const column of Object.keys(schema.columns)) {
      must(name.test(column) && !reserved.has(column), `column ${schema.kind}.${column}: not a name that is free`);
    }
    for (const column of schema.indexed) {
      must(column in schema.columns, `column ${schema.kind}.${column}: indexed, not declared`);
    }
    index.set(schema.kind, schema);
  }
  return index;
}

/** The type of a column that may be filtered and sorted on; throws TypeError for any other. */
export function columnType(schemas: SchemaIndex, kind: DocumentKind, column: string): ColumnType {
  const schema = schemas.get(kind);
  must(schema !== undefined, `document kind ${kind}: not declared`);
  const type = Object.hasOwn(ownColumns, column) ? ownColumns[column] : ownColumn(schema.columns, column);
  must(type !== undefined, `column ${kind}.${column}: not declared`);
  return type;
}

/** Throws TypeError for an append that no store could take: found before it waits in a batch with others. */
export function assertWellFormed(append: Append, schemas: SchemaIndex): void {
  const written = new Set<string>();
  for (const { stream } of append.writes) {
    must(!written.has(stream), `stream ${stream}: written twice in one append`);
    written.add(stream);
  }
  for (const change of append.changes) assertChange(change, schemas);
  for (const { kind, column, value } of append.empties ?? []) {
    must(fits(columnType(schemas, kind, column), value), `column ${kind}.${column}: wrong type`);
  }
  for (const { stream, n, claim } of append.fences ?? []) {
    must(Number.isSafeInteger(n) && Number.isSafeInteger(claim), `fence of ${stream}: bad number`);
  }
  for (const blob of append.blobs ?? []) assertBlob(blob);
}

function assertChange(change: Change, schemas: SchemaIndex): void {
  switch (change.change) {
    case 'put':
      must(typeof change.json === 'string', `document ${change.kind}/${change.id}: json is not text`);
      must(Number.isSafeInteger(change.version), `document ${change.kind}/${change.id}: version is not a number`);
      columnType(schemas, change.kind, 'id');
      for (const [column, value] of Object.entries(change.columns)) {
        must(!reserved.has(column), `column ${change.kind}.${column}: not to be put`);
        must(fits(columnType(schemas, change.kind, column), value), `column ${change.kind}.${column}: wrong type`);
      }
      return;
    case 'remove':
      columnType(schemas, change.kind, 'id');
      return;
    case 'removeWhere':
    case 'trim':
      must(
        fits(columnType(schemas, change.kind, change.column), change.value),
        `column ${change.kind}.${change.column}: wrong type`,
      );
      return;
    case 'deadline':
      must(
        Number.isSafeInteger(change.n) && Number.isSafeInteger(change.due),
        `deadline of ${change.stream}: bad number`,
      );
      return;
    case 'effect':
      must(Number.isSafeInteger(change.n), `effect of ${change.stream}: bad number`);
      return;
    case 'claim':
    case 'release':
      return;
  }
}

function fits(type: ColumnType, value: Scalar): boolean {
  if (value === null) return true;
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === 'boolean' ? typeof value === 'boolean' : typeof value === 'string';
}

function assertBlob(blob: Blob): void {
  const hash = createHash('sha256').update(blob.bytes).digest('hex');
  must(hash === blob.hash, `blob ${blob.hash}: the bytes hash to ${hash}`);
}

function ownColumn(columns: Readonly<Record<string, ColumnType>>, column: string): ColumnType | undefined {
  return Object.hasOwn(columns, column) ? columns[column] : undefined;
}

function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}
