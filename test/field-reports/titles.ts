import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSourceFile,
  forEachChild,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteralLike,
  isTemplateExpression,
  ScriptTarget,
  type Expression,
  type Node,
} from 'typescript';

const ID = /^((?:[A-Z]{3}-\d\d(?:, )?)+):/;
const MENTIONS_AN_ID = /[A-Z]{3}-\d\d:/;
const words: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'describeWithPostgres']);

/** `it`, `it.each(rows)`, `describe.each(rows)`: the word at the root, null when the test is switched off. */
function wordOf(callee: Expression): string | null {
  if (isIdentifier(callee)) return words.has(callee.text) ? callee.text : null;
  if (isCallExpression(callee)) return wordOf(callee.expression);
  if (!isPropertyAccessExpression(callee)) return null;
  return callee.name.text === 'each' || callee.name.text === 'failing' ? wordOf(callee.expression) : null;
}

/** Ids with which the titles of a spec begin: "TMO-01: ...", or several: "EVS-01, EVS-03: ...". */
export function idsInTitles(text: string): string[] {
  const ids: string[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && wordOf(node.expression) !== null) {
      const [title] = node.arguments;
      const words = title && isTemplateExpression(title) ? title.head.text : undefined;
      const literal = title && isStringLiteralLike(title) ? title.text : words;
      ids.push(...(ID.exec(literal ?? '')?.[1]?.split(', ') ?? []));
    }
    forEachChild(node, visit);
  };
  visit(createSourceFile('spec.ts', text, ScriptTarget.ES2022, true));
  return ids;
}

function* specs(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* specs(path);
    } else if (entry.name.endsWith('.spec.ts')) {
      yield path;
    }
  }
}

/** Id -> spec files that have a test of it. */
export function testedIds(root: string): Map<string, string[]> {
  const tested = new Map<string, string[]>();
  for (const path of ['apps', 'libs', 'test'].flatMap((folder) => [...specs(join(root, folder))])) {
    const text = readFileSync(path, 'utf8');
    if (!MENTIONS_AN_ID.test(text)) continue;
    for (const id of idsInTitles(text)) tested.set(id, [...new Set([...(tested.get(id) ?? []), path])]);
  }
  return tested;
}
