/** Which tests say that they show which row: a title that ends with `[1.7]`, `[2.11]` or `[1.7, 2.2]`. */
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

export interface Tagged {
  readonly rows: readonly string[];
  /** The title without its tag; of a template what stands behind its last value. */
  readonly title: string;
}

const TAG = /\s*\[(\d\.\d{1,2}(?:, ?\d\.\d{1,2})*)\]$/;
/** Whether a look into the file can find anything. */
export const MENTIONS_A_TAG = /\[\d\.\d{1,2}[\],]/;
const words: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'describeWithPostgres']);

/** `it`, `it.each(rows)`, `describe.each(rows)`: false for a test that is switched off. */
function isRun(callee: Expression): boolean {
  if (isIdentifier(callee)) return words.has(callee.text);
  if (isCallExpression(callee)) return isRun(callee.expression);
  return isPropertyAccessExpression(callee) && callee.name.text === 'each' && isRun(callee.expression);
}

function titleOf(expression: Expression | undefined): string {
  if (expression === undefined) return '';
  if (isStringLiteralLike(expression)) return expression.text;
  return isTemplateExpression(expression) ? (expression.templateSpans.at(-1)?.literal.text ?? '') : '';
}

export function tagsIn(text: string): readonly Tagged[] {
  const found: Tagged[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isRun(node.expression)) {
      const title = titleOf(node.arguments[0]);
      const rows = TAG.exec(title)?.[1];
      if (rows !== undefined) found.push({ rows: rows.split(/, ?/), title: title.replace(TAG, '').trim() });
    }
    forEachChild(node, visit);
  };
  visit(createSourceFile('spec.ts', text, ScriptTarget.ES2022, true));
  return found;
}
