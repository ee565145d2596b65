import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const REPOSITORY = join(__dirname, '..', '..');
/** The compiled command line that starts everything. */
export const MAIN = join(REPOSITORY, 'dist', 'apps', 'ferrolog', 'src', 'main.js');

let problem: Error | null = null;
let built = false;

/** Compiles the services unless dist/ is up to date. The build script itself keeps jest's workers from building twice. */
export const ensureBuilt = (): void => {
  if (built) return;
  if (problem !== null) throw problem; // It would fail again, half a minute later.
  const run = spawnSync(process.execPath, [join(REPOSITORY, 'scripts', 'build.mjs')], { encoding: 'utf8' });
  if (run.status !== 0 || !existsSync(MAIN)) {
    problem = new Error(`the build failed (${run.status ?? String(run.error)}):\n${run.stdout}${run.stderr}`);
    throw problem;
  }
  built = true;
};
