/**
 * npm test: packages, broker, then jest with any further arguments. The last line is `N passed, N failed`, with
 * `, N skipped` where tests were skipped. Everything temporary lies in one folder that is removed at the end.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages, findBroker, main, Problem, requireNode, root, runInForeground } from './bootstrap/index.mjs';

await main(async (args) => {
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
  const report = join(folder, 'report.json');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const code = await runInForeground(process.execPath, [jest, '--json', `--outputFile=${report}`, ...args], {
    env: { ...process.env, TMPDIR: folder },
    group: true,
  });
  const { passed, failed, skipped } = countTests(report, code);
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
