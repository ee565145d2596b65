/** The scripts between a bare clone and a running program, run as a person runs them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { repositoryRoot } from './repository-root';
import { plant } from './toy-tree';

function node(args: readonly string[], env: Record<string, string> = {}) {
  const options = { cwd: repositoryRoot, encoding: 'utf8' as const, env: { ...process.env, ...env } };
  return spawnSync(process.execPath, args, options);
}

/** Evaluates an expression with the bootstrap modules at hand; returns what it prints. */
function withBootstrap(module: string, expression: string): { status: number | null; stdout: string; stderr: string } {
  const url = `./scripts/bootstrap/${module}.mjs`;
  const script = `const m = await import('${url}'); const { main } = await import('./scripts/bootstrap/problem.mjs');
    await main(async () => { const value = await (${expression}); if (value !== undefined) console.log(JSON.stringify(value)); });`;
  return node(['--input-type=module', '-e', script]);
}

describe('npm test', () => {
  const commandFor = (folder: string) => {
    const config = JSON.stringify({ rootDir: folder, testMatch: ['**/*.spec.js'], testEnvironment: 'node' });
    return ['scripts/test.mjs', '--config', config];
  };
  const toy = (files: Record<string, string>) => {
    const tree = plant(files);
    const run = node(commandFor(tree.folder));
    return { ...run, lastLine: run.stdout.trimEnd().split('\n').at(-1), tree };
  };

  test('ends with the counts and fails when a test, or a whole file, failed', () => {
    const { status, lastLine, tree } = toy({
      'a.spec.js': "test('a', () => {}); test('b', () => { throw new Error('b'); }); test.skip('c', () => {});",
      'b.spec.js': "throw new Error('cannot be loaded');",
    });
    tree.remove();
    expect(lastLine).toBe('1 passed, 2 failed, 1 skipped');
    expect(status).toBe(1);
  });

  /** A test that leaves a temporary folder and a child process behind, says which, and then does `more`. */
  const littering = (more: string) => `
    test('leaves things about', async () => {
      const { mkdtempSync, renameSync, writeFileSync } = require('node:fs');
      const folder = mkdtempSync(require('node:os').tmpdir() + '/left-');
      const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
      child.unref();
      writeFileSync(__dirname + '/left.part', JSON.stringify({ folder, pid: child.pid }));
      renameSync(__dirname + '/left.part', __dirname + '/left.json');
      ${more}
    }, 600_000);`;
  const leftIn = (folder: string) =>
    JSON.parse(readFileSync(join(folder, 'left.json'), 'utf8')) as { folder: string; pid: number };

  test('passes when all passed, and leaves neither a temporary file nor a process behind', () => {
    const { status, lastLine, tree } = toy({ 'a.spec.js': littering('') });
    const left = leftIn(tree.folder);
    tree.remove();
    expect([lastLine, status]).toEqual(['1 passed, 0 failed', 0]);
    expect([existsSync(left.folder), isRunning(left.pid)]).toEqual([false, false]);
  });

  test('stopped by a signal, it leaves nothing behind either', async () => {
    const tree = plant({ 'a.spec.js': littering('await new Promise(() => undefined);') });
    const run = spawn(process.execPath, commandFor(tree.folder), { cwd: repositoryRoot, stdio: 'ignore' });
    const ended = once(run, 'close') as Promise<[number | null]>;
    while (!existsSync(join(tree.folder, 'left.json')) && run.exitCode === null) await wait(50);
    const left = leftIn(tree.folder);
    run.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    tree.remove();
    expect([existsSync(left.folder), isRunning(left.pid)]).toEqual([false, false]);
  });

  /** A killed child whose parent is gone may stay as a zombie where process 1 does not reap: it runs no more. */
  function isRunning(pid: number): boolean {
    try {
      return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  }
});

describe('the broker', () => {
  const nothingInstalled = `findProgram: () => null, installCommand: (names) => 'apt-get install -y ' + names.join(' ')`;
  const find = (env: string, system: string) => withBootstrap('broker', `m.findBroker(${env}, ${system})`);

  test('is the one that NATS_URL names', () => {
    expect(JSON.parse(find(`{ NATS_URL: 'nats://far:4222' }`, '{}').stdout)).toEqual({ url: 'nats://far:4222' });
  });

  test('is else the nats-server that is installed', () => {
    expect(JSON.parse(find('{}', `{ findProgram: () => '/usr/sbin/nats-server' }`).stdout)).toEqual({
      program: '/usr/sbin/nats-server',
    });
  });

  test('is installed where that is allowed', () => {
    const system = `(() => { let here = null; return { findProgram: () => here, mayInstall: () => true,
      installSystemPackages: async ([name]) => { here = '/opt/' + name; return true; } }; })()`;
    expect(JSON.parse(find('{}', system).stdout)).toEqual({ program: '/opt/nats-server' });
  });

  test('is else one sentence with the command to type', () => {
    const { missing } = JSON.parse(find('{}', `{ ${nothingInstalled}, mayInstall: () => false }`).stdout) as {
      missing: string;
    };
    expect(missing).toBe(
      'There is no NATS broker: set NATS_URL to a running one, or install one with: apt-get install -y nats-server',
    );
  });
});

describe('permission to install', () => {
  test.each([
    [{ FERROLOG_INSTALL: '1' }, true],
    [{ FERROLOG_INSTALL: '0', CI: '1', container: 'docker' }, false],
  ])('%j: %s', (env, allowed) => {
    const { stdout } = withBootstrap('system-packages', `m.mayInstall(${JSON.stringify(env)})`);
    expect(JSON.parse(stdout)).toBe(allowed);
  });
});

describe('a Node that is too old', () => {
  test.each(['18.20.4', '20.18.3'])('%s is told so in one sentence', (version) => {
    const { status, stderr } = withBootstrap('node-version', `m.requireNode('${version}')`);
    expect(status).toBe(2);
    expect(stderr.trim()).toMatch(new RegExp(`^ferrolog needs Node [0-9.]+ or newer, this is ${version}: .+$`));
  });

  test.each(['20.19.0', '20.20.2', '24.0.0'])('%s is new enough', (version) => {
    expect(withBootstrap('node-version', `m.requireNode('${version}')`).status).toBe(0);
  });
});

describe('npm run check', () => {
  test('refuses a part that does not exist', () => {
    const { status, stderr } = node(['scripts/check.mjs', 'typos']);
    expect([status, stderr]).toEqual([2, 'No such check: typos. There are types, lint, arrows, docs, tests.\n']);
  });
});

describe('the compile lock', () => {
  test('lets one process in at a time, and takes over from a dead one', () => {
    const { folder, remove } = plant({ lock: '999999999' });
    const work = `m.withLock('${folder}/lock', async () => { inside++; most = Math.max(most, inside);
      await new Promise((done) => setTimeout(done, 5)); inside--; })`;
    const { stdout } = withBootstrap(
      'lock',
      `(async () => { let inside = 0, most = 0; await Promise.all([${work}, ${work}, ${work}]); return most; })()`,
    );
    const leftBehind = existsSync(join(folder, 'lock'));
    remove();
    expect(JSON.parse(stdout)).toBe(1);
    expect(leftBehind).toBe(false);
  });
});
