import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftover, forgetBroker, noteBroker } from './leftover-broker';

const withProc = existsSync('/proc/self/cmdline') ? describe : describe.skip;

withProc('a broker that is still there', () => {
  let home: string;
  let store: string;
  let broker: ChildProcess;
  let ended: Promise<unknown>;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'home-'));
    store = join(home, 'jetstream');
    broker = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => undefined, 1000)', '--', store], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    ended = new Promise((resolve) => broker.once('exit', resolve));
    await new Promise((resolve) => broker.stdout?.once('data', resolve));
    noteBroker(home, broker.pid ?? 0);
  });
  afterEach(async () => {
    broker.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true });
  });

  const parent = (pid: number): void =>
    writeFileSync(join(home, 'run', 'nats-server.pid'), `${broker.pid ?? 0} ${pid}\n`);
  const runs = (): boolean => broker.exitCode === null && broker.signalCode === null;

  it('is ended when its stack is gone', async () => {
    parent(2 ** 30);
    await endLeftover(home, store);
    await ended;
    expect(broker.signalCode).toBe('SIGTERM');
  });

  it('keeps a second stack away as long as its own is alive', async () => {
    await expect(endLeftover(home, store)).rejects.toThrow(`Another stack runs on ${home}`);
    expect(runs()).toBe(true);
  });

  it.each([
    ['has another store', () => parent(2 ** 30), '/elsewhere'],
    ['was forgotten', () => forgetBroker(home), null],
  ])('is left alone when it %s', async (_what, change, other) => {
    change();
    await endLeftover(home, other ?? store);
    expect(runs()).toBe(true);
  });
});
