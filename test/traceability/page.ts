import type { Row, Shown } from './trace';

const documents: Readonly<Record<string, string>> = {
  '1': 'Document 1: the state `inspect wait`',
  '2': 'Document 2: aborting an inspection',
};

/** Fit for a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const testsOf = ({ row, none }: Row, shown: ReadonlyMap<string, readonly Shown[]>): string =>
  none === undefined
    ? (shown.get(row) ?? []).map(({ file, title }) => `[${file}](../${file}): ${cell(title)}`).join('<br>')
    : `no behaviour: ${none}`;

/** docs/traceability.md */
export function tracePage(rows: readonly Row[], shown: ReadonlyMap<string, readonly Shown[]>): string {
  const tables = Object.entries(documents).map(([number, title]) => {
    const own = rows.filter(({ row }) => row.startsWith(`${number}.`));
    const lines = own.map((one) => `| ${one.row} | ${one.behaviour} | ${testsOf(one, shown)} |`);
    return [`## ${title}`, '', '| row | behaviour | tests |', '| --- | --- | --- |', ...lines, ''].join('\n');
  });
  return `# What the two founding documents ask for, and the tests that show it

Generated from \`test/traceability/rows.json\` and the titles of tests by \`npm run docs\`; edit those, not this page. A test that shows a
row carries its number at the end of its title, as \`[1.7]\`. A row without a test stops \`npm run check\`, and so does a number that is none.

${tables.join('\n')}`;
}
