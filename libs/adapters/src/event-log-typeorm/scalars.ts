import type { ColumnType } from '@lib/adapters/event-log-batch';
import type { Scalar } from '@lib/ports';
import type { SqlValue } from './sql';

/** A scalar as its column stores it: booleans as 0 and 1, on every database. */
export const toColumn = (value: Scalar | undefined): SqlValue =>
  typeof value === 'boolean' ? Number(value) : (value ?? null);

/** Whether a column of this type could hold the value: the database would convert and then find what is not equal. */
export const fits = (type: ColumnType, value: Scalar): boolean =>
  value !== null && typeof value === ({ text: 'string', integer: 'number', boolean: 'boolean' } as const)[type];
