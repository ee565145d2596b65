import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { specsOf } from '../titles';
import { MENTIONS_A_TAG, tagsIn } from './tags';

export interface Row {
  /** `<document>.<number>` */
  readonly row: string;
  readonly behaviour: string;
  /** Why there is nothing to show. */
  readonly none?: string;
}

export interface Shown {
  /** Path of the spec, from the root of the repository. */
  readonly file: string;
  readonly title: string;
}

/** Row -> the tests that show it, in the order of their files. */
export function shownRows(root: string): ReadonlyMap<string, readonly Shown[]> {
  const shown = new Map<string, Shown[]>();
  for (const path of specsOf(root).sort()) {
    const text = readFileSync(path, 'utf8');
    if (!MENTIONS_A_TAG.test(text)) continue;
    for (const { rows, title } of tagsIn(text)) {
      for (const row of rows) shown.set(row, [...(shown.get(row) ?? []), { file: relative(root, path), title }]);
    }
  }
  return shown;
}

/** What is wrong between rows and tests, in words. */
export function problems(rows: readonly Row[], shown: ReadonlyMap<string, readonly Shown[]>): readonly string[] {
  const known = new Map(rows.map((one) => [one.row, one]));
  const missing = rows.filter(({ row, none }) => none === undefined && !shown.has(row));
  const tagged = [...shown].flatMap(([row, tests]) =>
    tests.map(({ file, title }) => ({ row, what: `${file}, "${title}"` })),
  );
  return [
    ...missing.map(({ row, behaviour }) => `row ${row} has no test: ${behaviour}`),
    ...tagged.filter(({ row }) => !known.has(row)).map(({ row, what }) => `${what} names row ${row}, which is none`),
    ...tagged
      .filter(({ row }) => known.get(row)?.none !== undefined)
      .map(({ row, what }) => `${what} names row ${row}, of which there is nothing to show`),
  ];
}
