import { layoutOfText, withoutLayout } from '@lib/contracts';
import { sameJson } from '@lib/domain/json';
import type { DerivedRow, DerivedTable, Scalar } from '@lib/ports';
import { rowKey, tableName } from '../derived-rows';
import { shown } from './difference';
import type { Difference } from './difference';

export interface TableRow {
  readonly table: DerivedTable;
  readonly row: DerivedRow;
}

const place = ({ table, row }: TableRow): string => `${tableName(table)} ${rowKey(table, row)}`;

/** Rows that should be there and rows that are, of the same streams. */
export function compareRows(expected: readonly TableRow[], found: readonly TableRow[]): Difference[] {
  const there = new Map(found.map((one) => [place(one), one]));
  const differences: Difference[] = [];
  for (const one of expected) {
    const where = place(one);
    const other = there.get(where);
    there.delete(where);
    if (!other) differences.push({ what: 'missing row', where, expected: shown(one.row), found: null });
    else differences.push(...compareColumns(where, one.row, other.row));
  }
  for (const [where, { row }] of there)
    differences.push({ what: 'extra row', where, expected: null, found: shown(row) });
  return differences;
}

function compareColumns(where: string, expected: DerivedRow, found: DerivedRow): Difference[] {
  return Object.keys(expected).flatMap((column): Difference[] => {
    const [wanted, actual] = [expected[column] ?? null, found[column] ?? null];
    if (sameScalar(wanted, actual)) return [];
    if (column === 'json') return compareJson(`${where} json`, wanted, actual);
    return [{ what: 'row', where: `${where} ${column}`, expected: shown(wanted), found: shown(actual) }];
  });
}

/** The character 0 cannot be kept in a text column by every database; what stands for it is no difference. */
const sameScalar = (one: Scalar, other: Scalar): boolean =>
  one === other || (typeof one === 'string' && one.replaceAll('\0', '\ufffd') === other);

/**
 * Of an object each member that differs is told. The order of members is no difference, but where a table of offsets counts
 * on it. A text that an older build laid out is served as it is: how it is laid out is none either.
 */
function compareJson(where: string, expected: Scalar, found: Scalar): Difference[] {
  const layout = layoutOfText(String(expected));
  const isLaidOutSo = layoutOfText(String(found)) === layout;
  const [wanted, actual] = [expected, found].map((text) => inLayout(parsed(text), isLaidOutSo));
  if (sameJson(wanted, actual)) {
    return layout === null || !isLaidOutSo
      ? []
      : [{ what: 'row', where, expected: shown(expected), found: shown(found) }];
  }
  if (!isObject(wanted) || !isObject(actual)) {
    return [{ what: 'row', where, expected: shown(expected), found: shown(found) }];
  }
  return [...new Set([...Object.keys(wanted), ...Object.keys(actual)])]
    .filter((name) => !sameJson(wanted[name], actual[name]))
    .map((name) => ({
      what: 'row',
      where: `${where}.${name}`,
      expected: shown(wanted[name]),
      found: shown(actual[name]),
    }));
}

const inLayout = (document: unknown, isLaidOutSo: boolean): unknown =>
  isObject(document) && !isLaidOutSo ? withoutLayout(document) : document;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: Scalar): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return undefined;
  }
}
