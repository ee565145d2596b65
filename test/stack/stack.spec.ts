import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { Child, freePorts, Hopeless, mergeSettings, toIni, until } from '.';
import { Guard } from './guard';

const alive = (pid: number): boolean => existsSync(`/proc/${pid}`);
const home = (): string => mkdtempSync(join(tmpdir(), 'ferrolog-stack-spec-'));
const sleeper = (env: NodeJS.ProcessEnv, script = 'setInterval(() => {}, 1000)'): Child =>
  new Child({ name: 'sleeper', command: process.execPath, args: ['-e', script], env, cwd: tmpdir() });

describe('settings', () => {
  it('merges option by option and writes INI sections', () => {
    const merged = mergeSettings({ DEFAULT: { host: 'a', x: '1' } }, { DEFAULT: { host: 'b' }, conductor: { y: '2' } });
    expect(toIni(merged)).toBe('[DEFAULT]\nhost = b\nx = 1\n\n[conductor]\ny = 2\n');
  });
});

describe('free ports', () => {
  it('are distinct', async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).toBe(20);
  });
});

describe('until', () => {
  it('names what it waited for and the last error', async () => {
    const look = (): never => {
      throw new Error('not yet');
    };
    await expect(until('the impossible', look, { timeoutMs: 20, everyMs: 5 })).rejects.toThrow(
      /the impossible.*not yet/,
    );
  });

  it('stops at once when waiting is hopeless', async () => {
    let looks = 0;
    const look = (): never => {
      looks += 1;
      throw new Hopeless('it died');
    };
    await expect(until('it', look)).rejects.toThrow('it died');
    expect(looks).toBe(1);
  });
});

describe('a child', () => {
  it('keeps its output and tells how it ended', async () => {
    const child = sleeper(process.env, 'console.log("hello"); process.exit(3)');
    expect(await child.exited).toEqual({ code: 3, signal: null });
    await until('its output', () => child.log() === 'hello');
  });

  it('is killed when it ignores SIGTERM', async () => {
    const child = sleeper(
      process.env,
      'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)',
    );
    await until('it is up', () => child.log() === 'up');
    expect(await child.stop(100)).toBe('killed');
    expect(alive(child.pid)).toBe(false);
  });

  it('that cannot be started ends with an explanation', async () => {
    const child = new Child({ name: 'none', command: '/no/such/program', args: [], env: {}, cwd: tmpdir() });
    expect((await child.exited).code).toBe(127);
    expect(child.log()).toContain('/no/such/program');
  });
});

describe('the guard', () => {
  it('kills what carries its home, and only that', async () => {
    const folder = home();
    const ours = sleeper({ ...process.env, FERROLOG_HOME: folder });
    const foreign = sleeper(process.env);
    const guard = new Guard(folder);
    guard.watch(ours.pid);
    guard.watch(foreign.pid);
    await guard.fire();
    expect((await ours.exited).signal).toBe('SIGKILL');
    expect(foreign.running).toBe(true);
    expect(existsSync(folder)).toBe(false);
    await foreign.stop(1_000);
  });

  it('cleans up when the test process itself is killed', async () => {
    const folder = home();
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { FERROLOG_HOME: process.env.THE_HOME } });
      const guard = spawn('/bin/sh', ['-c', process.env.THE_SCRIPT, 'stack-guard', process.env.THE_HOME, 'remove'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
      guard.stdin.write(child.pid + ' ' + process.env.THE_HOME + '\\n');
      console.log(child.pid);
      setInterval(() => {}, 1000);`;
    const tests = spawn(process.execPath, ['-e', script], {
      env: { ...process.env, THE_HOME: folder, THE_SCRIPT: Guard.script },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => tests.stdout.once('data', (chunk) => resolve(Number(chunk))));
    expect(alive(pid)).toBe(true);
    tests.kill('SIGKILL');
    await until('the orphan is gone', () => !alive(pid));
    await until('the home is gone', () => !existsSync(folder));
  });
});
