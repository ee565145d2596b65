/** Packages of the operating system: which command installs them, and whether we may type it ourselves. */
import { existsSync, readFileSync } from 'node:fs';
import { runSilently, withProgress } from './child.mjs';
import { findProgram } from './programs.mjs';

const managers = [
  { program: 'apt-get', refresh: ['update'], install: ['install', '-y'] },
  { program: 'apk', refresh: ['update'], install: ['add'] },
  { program: 'brew', refresh: null, install: ['install'], asRoot: false },
];

const managerHere = (env) => managers.find(({ program }) => findProgram(program, env)) ?? null;

/** The command for a person to type, null where we know no package manager. */
export function installCommand(packages, env = process.env) {
  const manager = managerHere(env);
  if (!manager) return null;
  const sudo = manager.asRoot === false || isRoot() ? '' : 'sudo ';
  return `${sudo}${[manager.program, ...manager.install, ...packages].join(' ')}`;
}

/** FERROLOG_INSTALL=1 allows it anywhere and 0 forbids it; without a word, root in a container or CI may. */
export function mayInstall(env = process.env) {
  if (env.FERROLOG_INSTALL === '1') return true;
  if (env.FERROLOG_INSTALL === '0') return false;
  return isRoot() && (Boolean(env.CI) || inContainer(env));
}

/** Installs packages; false (with the manager's last lines shown) when that did not work. */
export async function installSystemPackages(packages, env = process.env) {
  const manager = managerHere(env);
  if (!manager) return false;
  const asRoot = manager.asRoot === false || isRoot() ? [] : ['sudo', '-n'];
  const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } };
  const type = (args) => {
    const [command, ...rest] = [...asRoot, manager.program, ...args];
    return runSilently(command, rest, quiet);
  };
  return withProgress(`Installing ${packages.join(', ')} with ${manager.program}`, async () => {
    let result = await type([...manager.install, ...packages]);
    if (result.code !== 0 && manager.refresh) {
      // A bare image has no package lists yet.
      await type(manager.refresh);
      result = await type([...manager.install, ...packages]);
    }
    if (result.code !== 0) process.stderr.write(`${result.output.trim().split('\n').slice(-5).join('\n')}\n`);
    return result.code === 0;
  });
}

const isRoot = () => process.getuid?.() === 0;

function inContainer(env) {
  if (env.container || existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true;
  try {
    return /docker|kubepods|containerd|lxc/.test(readFileSync('/proc/1/cgroup', 'utf8'));
  } catch {
    return false;
  }
}
