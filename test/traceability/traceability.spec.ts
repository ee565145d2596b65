import { join } from 'node:path';
import { problems, shownRows, tagsIn, tracePage } from '.';
import type { Row } from '.';
import rows from './rows.json';

const shown = new Map([
  ['1.1', [{ file: 'a.spec.ts', title: 'one | two' }]],
  ['1.2', [{ file: 'a.spec.ts', title: 'three' }]],
  ['9.9', [{ file: 'b.spec.ts', title: 'four' }]],
]);
const some: Row[] = [
  { row: '1.1', behaviour: 'first' },
  { row: '1.2', behaviour: 'second', none: 'nothing' },
  { row: '1.3', behaviour: 'third' },
];

describe('rows and tests', () => {
  it('fit together in this repository', () => {
    expect(problems(rows, shownRows(join(__dirname, '..', '..')))).toEqual([]);
    expect(rows.filter(({ row }) => row.startsWith('1.'))).toHaveLength(33);
    expect(rows.filter(({ row }) => row.startsWith('2.'))).toHaveLength(23);
    expect(new Set(rows.map(({ row }) => row)).size).toBe(56);
  });

  it('that do not fit are told', () => {
    expect(problems(some, shown)).toEqual([
      'row 1.3 has no test: third',
      'b.spec.ts, "four" names row 9.9, which is none',
      'a.spec.ts, "three" names row 1.2, of which there is nothing to show',
    ]);
  });

  it('are shown in a table for each document', () => {
    const page = tracePage(some, shown);
    expect(page).toContain('| 1.1 | first | [a.spec.ts](../a.spec.ts): one \\| two |\n');
    expect(page).toContain('| 1.2 | second | no behaviour: nothing |\n');
  });
});

it('a tag stands at the end of a title, of a test that is run', () => {
  const text = `
    it('one [1.1]', () => undefined);
    it.each([1])('of %i [1.2, 2.3]', () => undefined);
    it('both [1.4] [2.5, 2.6]', () => undefined);
    describe(\`\${name} has [2.10]\`, () => { it('a part [2.11]', () => undefined); });
    it('knows [1.4] in the middle', () => undefined);
    it.skip('off [1.5]', () => undefined);
    it.failing('fails [1.6]', () => undefined);
    test.todo('later [1.7]');
    say('nothing [1.8]');
  `;
  expect(tagsIn(text)).toEqual([
    { rows: ['1.1'], title: 'one' },
    { rows: ['1.2', '2.3'], title: 'of %i' },
    { rows: ['1.4', '2.5', '2.6'], title: 'both' },
    { rows: ['2.10'], title: 'has' },
    { rows: ['2.11'], title: 'a part' },
  ]);
});
