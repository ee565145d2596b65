/**
 * npm test: packages, broker, then jest with any further arguments (`--result=FILE` is ours). The last line is `N passed, N failed`, with
 * `, N skipped` where tests were skipped. Everything temporary lies in one folder that is removed at the end.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages, findBroker, main, Problem, requireNode, root, runInForeground } from './bootstrap/index.mjs';

const RESULT = '--result=';
const usage = `usage: npm test [-- [${RESULT}FILE] [PATH...] [any option of jest]]

Installs what is missing, starts what the tests need and runs them all, or those whose path contains PATH.

  ${RESULT}FILE  Also write {"passed": N, "failed": N, "skipped": N}.
  --help         Show this and end.

Exit codes: 0 all passed, 1 some failed, 2 something is missing.
`;

await main(async (args) => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  requireNode();
  await ensurePackages();
  const broker = await findBroker();
  if (broker.missing) throw new Problem(broker.missing);
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-test-'));
  try {
    return await runJest(args, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

async function runJest(args, folder) {
  const result = args.find((arg) => arg.startsWith(RESULT))?.slice(RESULT.length);
  const rest = args.filter((arg) => !arg.startsWith(RESULT));
  const report = join(folder, 'report.json');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const code = await runInForeground(process.execPath, [jest, '--json', `--outputFile=${report}`, ...rest], {
    env: { ...process.env, TMPDIR: folder },
    group: true,
  });
  const { passed, failed, skipped } = countTests(report, code);
  if (result) writeFileSync(result, `${JSON.stringify({ passed, failed, skipped })}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed > 0 && code === 0 ? 1 : code;
}

/** A spec file that could not run at all counts as one failure, and so does a jest that left no report. */
function countTests(report, code) {
  if (!existsSync(report)) return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  return {
    passed: result.numPassedTests,
    failed: Math.max(result.numFailedTests + result.numRuntimeErrorTestSuites, code === 0 ? 0 : 1),
    skipped: result.numPendingTests + result.numTodoTests,
  };
}
