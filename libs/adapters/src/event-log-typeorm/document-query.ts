import { columnType, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { Condition, DocumentKind, DocumentQuery, Scalar } from '@lib/ports';
import { quoted, type Dialect } from './dialect';
import { fits, toColumn } from './scalars';
import { marks, type SqlValue } from './sql';

/** A piece of SQL with the values of its marks. */
export interface Clause {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

const never: Clause = { text: '1 = 0', values: [] };

/** Documents that hold this very value. */
export const havingClause = (column: string, value: Scalar): Clause =>
  value === null
    ? { text: `${quoted(column)} IS NULL`, values: [] }
    : { text: `${quoted(column)} = ?`, values: [toColumn(value)] };

export function whereClause(
  query: Pick<DocumentQuery, 'kind' | 'where'>,
  schemas: SchemaIndex,
  dialect: Dialect,
): Clause {
  return joined(
    query.where.map((condition) => conditionClause(condition, query.kind, schemas, dialect)),
    ' AND ',
    { text: '1 = 1', values: [] },
  );
}

function conditionClause(condition: Condition, kind: DocumentKind, schemas: SchemaIndex, dialect: Dialect): Clause {
  if ('anyOf' in condition) {
    return joined(
      condition.anyOf.map((one) => conditionClause(one, kind, schemas, dialect)),
      ' OR ',
      never,
    );
  }
  const type = columnType(schemas, kind, condition.column);
  const column = quoted(condition.column);
  switch (condition.is) {
    case 'null':
      return { text: `${column} IS NULL`, values: [] };
    case 'not null':
      return { text: `${column} IS NOT NULL`, values: [] };
    case 'containing':
      return type === 'text' ? { text: dialect.contains(column), values: [condition.value] } : never;
    case 'equal':
      return among(column, [condition.value], (value) => fits(type, value));
    case 'in':
      return among(column, condition.values, (value) => fits(type, value));
  }
}

function among(column: string, wanted: readonly Scalar[], possible: (value: Scalar) => boolean): Clause {
  const values = wanted.filter(possible).map(toColumn);
  const ways: Clause[] = values.length > 0 ? [{ text: `${column} IN (${marks(values.length)})`, values }] : [];
  if (wanted.includes(null)) ways.push({ text: `${column} IS NULL`, values: [] });
  return joined(ways, ' OR ', never);
}

/** What comes after a document in the sort order, given its value and its seq. Nulls are the lowest. */
export function afterClause({ sort }: DocumentQuery, value: SqlValue, seq: number): Clause {
  const column = quoted(sort.column);
  const beyond = sort.descending ? '<' : '>';
  if (value === null) {
    const same = `(${column} IS NULL AND seq ${beyond} ?)`;
    return { text: sort.descending ? same : `(${same} OR ${column} IS NOT NULL)`, values: [seq] };
  }
  const nulls = sort.descending ? ` OR ${column} IS NULL` : '';
  return {
    text: `(${column} ${beyond} ? OR (${column} = ? AND seq ${beyond} ?)${nulls})`,
    values: [value, value, seq],
  };
}

export function orderClause({ sort }: DocumentQuery, { nulls }: Dialect): string {
  const direction = sort.descending ? 'DESC' : 'ASC';
  const lowest = sort.descending ? nulls.descending : nulls.ascending;
  return sort.column === 'seq' ? `seq ${direction}` : `${quoted(sort.column)} ${direction}${lowest}, seq ${direction}`;
}

function joined(clauses: readonly Clause[], glue: string, empty: Clause): Clause {
  if (clauses.length === 0) return empty;
  return {
    text: `(${clauses.map(({ text }) => text).join(glue)})`,
    values: clauses.flatMap(({ values }) => values),
  };
}
