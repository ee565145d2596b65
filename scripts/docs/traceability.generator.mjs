/** docs/traceability.md: the rows of the founding documents and the tests that show them. A row without a test stops the run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './load-typescript.mjs';

export const files = (load) => {
  const { problems, shownRows, tracePage } = load(join(root, 'test/traceability/index.ts'));
  const rows = JSON.parse(readFileSync(join(root, 'test/traceability/rows.json'), 'utf8'));
  const shown = shownRows(root);
  const found = problems(rows, shown);
  if (found.length > 0) throw new Error(`docs/traceability.md can not be made:\n${found.join('\n')}`);
  return { 'docs/traceability.md': tracePage(rows, shown) };
};
