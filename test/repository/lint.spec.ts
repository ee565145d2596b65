/** The project's own lint rules: what they must stop, and that they stop it only where they should. */
import { spawnSync } from 'node:child_process';
import { repositoryRoot } from './repository-root';

const lintScript = `
import { ESLint } from 'eslint';
const eslint = new ESLint();
const snippets = JSON.parse(process.argv[1]);
const results = [];
for (const { code, filePath } of snippets) {
  const [result] = await eslint.lintText(code, { filePath });
  results.push(result.messages.map(({ ruleId, message }) => ruleId ?? message));
}
process.stdout.write(JSON.stringify(results));
`;

/** Rule ids reported for each snippet, as if it stood in that file. */
function lint(snippets: readonly { code: string; filePath: string }[]): string[][] {
  const args = ['--input-type=module', '-e', lintScript, JSON.stringify(snippets)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: repositoryRoot, encoding: 'utf8' });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as string[][];
}

/** Files that exist, because the type-aware rules want a file of the project. */
const domain = 'libs/domain/src/states/index.ts';
const contracts = 'libs/contracts/src/index.ts';
const specFile = 'test/repository/lint.spec.ts';

const handedIn: [code: string, rule: string][] = [
  ['export const now = Date.now();', 'no-restricted-properties'],
  ['export const now = new Date();', 'no-restricted-syntax'],
  ['export const now = Date();', 'no-restricted-syntax'],
  ['export const chance = Math.random();', 'no-restricted-properties'],
  ['setTimeout(() => undefined, 1);', 'no-restricted-globals'],
  ['setInterval(() => undefined, 1);', 'no-restricted-globals'],
  ['export const home = process.env.HOME;', 'no-restricted-globals'],
  ["import { setTimeout } from 'node:timers/promises'; export const wait = setTimeout;", 'no-restricted-imports'],
];

const dishonest: [code: string, rule: string][] = [
  ["test.only('a', () => undefined);", 'no-restricted-syntax'],
  ["describe.only('a', () => undefined);", 'no-restricted-syntax'],
  ["it.skip('a', () => undefined);", 'no-restricted-syntax'],
  ["test.todo('a');", 'no-restricted-syntax'],
  ["xit('a', () => undefined);", 'no-restricted-syntax'],
  ['expect(true).toBe(true);', 'no-restricted-syntax'],
];

const fine = [
  { code: "export const at = new Date('2026-01-01T00:00:00Z');", filePath: domain },
  { code: 'export const now = Date.now();', filePath: contracts },
  {
    code: 'const suite = Math.random() > 2 ? describe : describe.skip; suite("a", () => undefined);',
    filePath: specFile,
  },
];

const results = lint([
  ...handedIn.map(([code]) => ({ code, filePath: domain })),
  ...dishonest.map(([code]) => ({ code, filePath: specFile })),
  ...fine,
  { code: "export const lazy = () => import('@lib/domain/states');", filePath: contracts },
  { code: 'const later = async () => 1; later();', filePath: contracts },
]);

test.each(handedIn.map(([code, rule], i) => ({ code, rule, found: results[i] })))(
  'domain: $code',
  ({ rule, found }) => {
    expect(found).toEqual([rule]);
  },
);

test.each(dishonest.map(([code, rule], i) => ({ code, rule, found: results[handedIn.length + i] })))(
  'specs: $code',
  ({ rule, found }) => {
    expect(found).toEqual([rule]);
  },
);

test.each(fine.map(({ code }, i) => ({ code, found: results[handedIn.length + dishonest.length + i] })))(
  'allowed: $code',
  ({ found }) => {
    expect(found).toEqual([]);
  },
);

test('a promise that nobody waits for', () => {
  expect(results.at(-1)).toEqual(['@typescript-eslint/no-floating-promises']);
});

test('an alias that the build would leave as it is', () => {
  expect(results.at(-2)).toEqual(['no-restricted-syntax']);
});
