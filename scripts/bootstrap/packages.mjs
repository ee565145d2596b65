/** npm packages: are those of the lock file here, and if not, put them here. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runInForeground, runSilently, withProgress } from './child.mjs';
import { Problem } from './problem.mjs';
import { findProgram } from './programs.mjs';
import { root } from './root.mjs';
import { installCommand, installSystemPackages, mayInstall } from './system-packages.mjs';

const sqliteBinary = join(root, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
const compilerPackages = ['g++', 'make', 'python3'];

/** Brings node_modules to what package-lock.json says. Does nothing, in milliseconds, when it is there already. */
export async function ensurePackages(env = process.env) {
  if (!lockIsInstalled()) await installPackages(env);
  if (!existsSync(sqliteBinary)) await buildSqlite(env);
}

/**
 * Compares the lock file with npm's own note of what it installed. File times would lie: a checkout or an unpacked
 * archive sets them anew.
 */
function lockIsInstalled() {
  const note = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(note)) return false;
  const packagesIn = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
  const installed = packagesIn(note);
  // Packages for other processors and systems are optional and are not installed here.
  return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' || installed[path]?.version === version || ((optional || devOptional) && !installed[path]),
  );
}

async function installPackages(env) {
  // Install scripts stay off: the only one that we need is sqlite3's, built below.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
  const code = await withProgress('Installing npm packages (a minute or two the first time)', () => npm(args, env));
  if (code !== 0) {
    throw new Problem(
      `npm ci failed with exit code ${code} (see above): is a package registry reachable? npm config get registry`,
    );
  }
}

async function buildSqlite(env) {
  const build = () =>
    withProgress('Building sqlite3 (a minute or two the first time)', () =>
      runSilently(...npmCommand(['rebuild', 'sqlite3'], env), { env: compilerSettings(env) }),
    );
  let result = await build();
  if (
    result.code !== 0 &&
    !hasCompiler(env) &&
    mayInstall(env) &&
    (await installSystemPackages(compilerPackages, env))
  ) {
    result = await build();
  }
  if (result.code === 0 && existsSync(sqliteBinary)) return;
  if (!hasCompiler(env)) {
    const command = installCommand(compilerPackages, env) ?? `install ${compilerPackages.join(', ')}`;
    throw new Problem(`sqlite3 has to be compiled here and there is no compiler: ${command}`);
  }
  throw new Problem(`sqlite3 could not be compiled:\n${result.output.trim().split('\n').slice(-25).join('\n')}`);
}

const hasCompiler = (env) =>
  [['g++', 'c++', 'clang++'], ['make'], ['python3']].every((names) => names.some((name) => findProgram(name, env)));

function compilerSettings(env) {
  const settings = { ...env };
  if (findProgram('ccache', env) && !env.CC && !env.CXX)
    Object.assign(settings, { CC: 'ccache gcc', CXX: 'ccache g++' });
  // With the headers beside this Node, nothing needs to be downloaded.
  const prefix = dirname(dirname(process.execPath));
  if (existsSync(join(prefix, 'include/node/node_api.h'))) settings.npm_config_nodedir ??= prefix;
  return settings;
}

const npm = (args, env) => runInForeground(...npmCommand(args, env), { env });

/** Under `npm run` the same npm again, otherwise the one on the PATH. */
function npmCommand(args, env) {
  if (env.npm_execpath?.endsWith('.js')) return [process.execPath, [env.npm_execpath, ...args]];
  return ['npm', args];
}
