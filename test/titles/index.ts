/** The titles of the tests of a spec, and where specs are: what tests say of themselves is read, not run. */
import { readdirSync } from 'node:fs';
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

/** Of a template the parts before its first and behind its last value; of a plain title both are the whole. */
export interface Title {
  readonly head: string;
  readonly tail: string;
}

const words: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'describeWithPostgres']);

/** `it`, `it.each(rows)`, `describe.each(rows)`: false for a test that is switched off, or is expected to fail. */
function isRun(callee: Expression): boolean {
  if (isIdentifier(callee)) return words.has(callee.text);
  if (isCallExpression(callee)) return isRun(callee.expression);
  return isPropertyAccessExpression(callee) && callee.name.text === 'each' && isRun(callee.expression);
}

function titleOf(expression: Expression | undefined): Title {
  if (expression === undefined) return { head: '', tail: '' };
  if (isStringLiteralLike(expression)) return { head: expression.text, tail: expression.text };
  if (!isTemplateExpression(expression)) return { head: '', tail: '' };
  return { head: expression.head.text, tail: expression.templateSpans.at(-1)?.literal.text ?? '' };
}

/** Titles of tests and of groups of them, in the order of the file. */
export function titlesIn(text: string): readonly Title[] {
  const found: Title[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isRun(node.expression)) found.push(titleOf(node.arguments[0]));
    forEachChild(node, visit);
  };
  visit(createSourceFile('spec.ts', text, ScriptTarget.ES2022, true));
  return found;
}

function* below(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* below(path);
    } else if (entry.name.endsWith('.spec.ts')) {
      yield path;
    }
  }
}

/** Paths of all specs of the repository at this root. */
export const specsOf = (root: string): string[] =>
  ['apps', 'libs', 'test'].flatMap((folder) => [...below(join(root, folder))]);
