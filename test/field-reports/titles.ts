import { readFileSync } from 'node:fs';
import { specsOf, titlesIn } from '../titles';

const ID = /^((?:[A-Z]{3}-\d\d(?:, )?)+):/;
const MENTIONS_AN_ID = /[A-Z]{3}-\d\d:/;

/** Ids with which the titles of a spec begin: "TMO-01: ...", or several: "EVS-01, EVS-03: ...". */
export const idsInTitles = (text: string): string[] =>
  titlesIn(text).flatMap(({ head }) => ID.exec(head)?.[1]?.split(', ') ?? []);

/** Id -> spec files that have a test of it. */
export function testedIds(root: string): Map<string, string[]> {
  const tested = new Map<string, string[]>();
  for (const path of specsOf(root)) {
    const text = readFileSync(path, 'utf8');
    if (!MENTIONS_AN_ID.test(text)) continue;
    for (const id of idsInTitles(text)) tested.set(id, [...new Set([...(tested.get(id) ?? []), path])]);
  }
  return tested;
}
