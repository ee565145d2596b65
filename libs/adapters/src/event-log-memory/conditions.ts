import { columnType, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Condition, DocumentKind, Scalar } from '@lib/ports';

export type Row = Readonly<Record<string, Scalar | undefined>>;

/** Throws TypeError when a condition names a column that is not declared. */
export function assertDeclared(where: readonly Condition[], kind: DocumentKind, schemas: SchemaIndex): void {
  for (const condition of where) {
    if ('anyOf' in condition) assertDeclared(condition.anyOf, kind, schemas);
    else columnType(schemas, kind, condition.column);
  }
}

export function meets(condition: Condition, row: Row): boolean {
  if ('anyOf' in condition) return condition.anyOf.some((one) => meets(one, row));
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
export function compareScalars(a: Scalar | undefined = null, b: Scalar | undefined = null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' || typeof b === 'string')
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  return Number(a) - Number(b);
}
