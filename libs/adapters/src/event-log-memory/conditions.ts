import { columnType, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Condition, DocumentKind, Scalar } from '@lib/ports';

export type Row = Readonly<Record<string, Scalar | undefined>>;

export function meetsAll(where: readonly Condition[], row: Row, kind: DocumentKind, schemas: SchemaIndex): boolean {
  return where.every((condition) => meets(condition, row, kind, schemas));
}

function meets(condition: Condition, row: Row, kind: DocumentKind, schemas: SchemaIndex): boolean {
  if ('anyOf' in condition) return condition.anyOf.some((one) => meets(one, row, kind, schemas));
  columnType(schemas, kind, condition.column);
  const value = row[condition.column] ?? null;
  switch (condition.is) {
    case 'equal':
      return value === condition.value;
    case 'in':
      return condition.values.includes(value);
    case 'null':
      return value === null;
    case 'not null':
      return value !== null;
    case 'containing':
      return typeof value === 'string' && value.includes(condition.value);
  }
}

/** Nulls first, false before true, text by code point: the order of the bytes that a database compares. */
export function compareScalars(a: Scalar | undefined, b: Scalar | undefined): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return rank(a) - rank(b);
}

function rank(value: Scalar | undefined): number {
  if (value === null || value === undefined) return Number.NEGATIVE_INFINITY;
  return Number(value);
}
