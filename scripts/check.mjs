/**
 * npm run check: types, lint, arrows, docs, tests; names after `--` choose some (`npm run check -- types lint`).
 * All are run, also when one fails; the exit code says whether every one passed.
 */
import {
  ensurePackages,
  main,
  Problem,
  readArguments,
  requireNode,
  root,
  runInForeground,
} from './bootstrap/index.mjs';

const bin = (name) => `${root}/node_modules/${name}`;
const parts = {
  types: [[bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']],
  lint: [
    [bin('eslint/bin/eslint.js'), '.'],
    [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  ],
  arrows: [[bin('dependency-cruiser/bin/dependency-cruise.mjs'), 'apps', 'libs', 'test']],
  docs: [[`${root}/scripts/docs/index.mjs`, '--check']],
  tests: [[`${root}/scripts/test.mjs`]],
};

await main(async (args) => {
  const read = readArguments(args, {
    usage: 'npm run check [-- NAME...]',
    about: `Runs the checks NAME, or all of them: ${Object.keys(parts).join(', ')}.`,
    options: { json: { help: 'End with {"passed": [...], "failed": [...]} in place of a sentence.' } },
    positionals: true,
  });
  if (!read) return 0;
  const names = read.positionals;
  const unknown = names.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Problem(`No such check: ${unknown.join(', ')}. There are ${Object.keys(parts).join(', ')}.`);
  requireNode();
  await ensurePackages();
  const failed = [];
  const asked = names.length > 0 ? names : Object.keys(parts);
  for (const name of asked) {
    if (!(await passes(name))) failed.push(name);
  }
  const passed = asked.filter((name) => !failed.includes(name));
  const text = failed.length === 0 ? 'check: all passed' : `check: failed: ${failed.join(', ')}`;
  process.stdout.write(`${read.values.json ? JSON.stringify({ passed, failed }) : text}\n`);
  return failed.length === 0 ? 0 : 1;
});

/** All commands of a part are run, so that one run shows everything there is to mend. */
async function passes(name) {
  process.stdout.write(`--- ${name}\n`);
  let passed = true;
  for (const command of parts[name]) {
    passed = (await runInForeground(process.execPath, command)) === 0 && passed;
  }
  return passed;
}
