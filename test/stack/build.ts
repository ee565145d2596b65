import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from './until';

export const REPOSITORY = join(__dirname, '..', '..');
/** The compiled command line that starts everything. */
export const MAIN = join(REPOSITORY, 'dist', 'apps', 'ferrolog', 'src', 'main.js');

const STAMP = join(REPOSITORY, 'dist', '.built-for-tests');
const LOCK = join(REPOSITORY, 'node_modules', '.ferrolog-build-lock');
const INPUTS = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];
const ROOFS = ['apps', 'libs'];

const newestMtimeMs = (path: string): number => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return path.endsWith('.spec.ts') ? 0 : stats.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestMtimeMs(join(path, name))), 0);
};

const sourcesMtimeMs = (): number =>
  Math.max(...[...INPUTS, ...ROOFS].map((name) => newestMtimeMs(join(REPOSITORY, name))));

const upToDate = (): boolean => existsSync(MAIN) && existsSync(STAMP) && statSync(STAMP).mtimeMs >= sourcesMtimeMs();

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A folder is made or not, in one step: that is the lock between jest's workers. A dead owner's lock is taken over. */
const acquire = (): boolean => {
  try {
    mkdirSync(LOCK);
    writeFileSync(join(LOCK, 'pid'), String(process.pid));
    return true;
  } catch {
    const owner = join(LOCK, 'pid');
    if (existsSync(owner) && !alive(Number(readFileSync(owner, 'utf8'))))
      rmSync(LOCK, { recursive: true, force: true });
    return false;
  }
};

const build = (): void => {
  const startedMs = sourcesMtimeMs();
  const run = spawnSync('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY, encoding: 'utf8' });
  if (run.status !== 0 || !existsSync(MAIN)) {
    throw new Error(`npm run build failed (${run.status ?? run.error}):\n${run.stdout}${run.stderr}`);
  }
  writeFileSync(STAMP, '');
  // The stamp is as old as the newest source that was surely read, so an edit during the build is not missed.
  utimesSync(STAMP, startedMs / 1000 + 0.001, startedMs / 1000 + 0.001);
};

/** Compiles the services unless dist/ is newer than every source; one build at a time on this machine's checkout. */
export const ensureBuilt = async (): Promise<void> => {
  while (!upToDate()) {
    if (!acquire()) {
      await sleep(200);
      continue;
    }
    try {
      if (!upToDate()) build();
    } finally {
      rmSync(LOCK, { recursive: true, force: true });
    }
  }
};
