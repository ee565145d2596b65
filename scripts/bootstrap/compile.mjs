/** One compile of all apps and libraries into dist/, skipped when no input changed since the last one. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runSilently, withProgress } from './child.mjs';
import { withLock } from './lock.mjs';
import { Problem } from './problem.mjs';
import { root } from './root.mjs';

/** Where every app's compiled start lies: dist/apps/<app>/src/main.js. */
export const mainProgram = join(root, 'dist/apps/ferrolog/src/main.js');

const stampFile = join(root, 'dist/.inputs.json');
const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];

/** Compiles when needed; several callers at once wait for the first. Returns true when something was compiled. */
export async function compile() {
  return withLock(join(root, 'node_modules/.cache/ferrolog-compile.lock'), async () => {
    const inputs = hashes(inputFiles());
    const before = lastInputs();
    if (existsSync(mainProgram) && JSON.stringify(before) === JSON.stringify(inputs)) return false;
    // What was compiled from a file that is gone would still be found by an import.
    if (Object.keys(before).some((path) => !(path in inputs)))
      rmSync(join(root, 'dist'), { recursive: true, force: true });
    await withProgress('Compiling', runNest);
    Object.keys(inputs).filter(isAsset).forEach(copyAsset);
    writeFileSync(stampFile, JSON.stringify(inputs));
    return true;
  });
}

async function runNest() {
  rmSync(stampFile, { force: true });
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const { code, output } = await runSilently(process.execPath, [nest, 'build', 'ferrolog']);
  if (code !== 0 || !existsSync(mainProgram)) throw new Problem(`ferrolog does not compile:\n${output.trim()}`);
}

function inputFiles() {
  const sources = ['apps', 'libs'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
      .filter((path) => /^(apps|libs)[/][^/]+[/]src[/]/.test(path)),
  );
  return [
    ...sources.filter((path) => !path.endsWith('.spec.ts') && !path.startsWith('libs/testing/')),
    ...settings,
  ].sort();
}

const hashes = (paths) =>
  Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  );

const lastInputs = () => (existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {});

/** The compiler leaves what it does not read (examples, node lists, pages) where it is. */
const isAsset = (path) => /^(apps|libs)[/]/.test(path) && !path.endsWith('.ts');

function copyAsset(path) {
  const target = join(root, 'dist', path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, path), target);
}
