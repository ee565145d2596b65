import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningStack } from './running-stack';
import { up } from './up';

/** A service that notes its name and serves, the conductor of a slow start not before it is asked to stop. */
const program = `
const { appendFileSync } = require('node:fs');
const name = process.argv.at(-1);
const keep = setInterval(() => undefined, 1000);
const serve = (then) => process.send({ ready: true, url: null }, then);
const isSlow = process.env.SLOW === name;
process.once('disconnect', () => process.exit(0));
process.on('SIGTERM', () => isSlow ? serve(() => process.exit(0)) : process.exit(0));
appendFileSync(process.env.STARTED, name + '\\n');
if (!isSlow) serve();
`;

describe('the start of the stack', () => {
  let home: string;
  const stacks: RunningStack[] = [];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'home-'));
    writeFileSync(join(home, 'service.cjs'), program);
  });
  afterEach(async () => {
    for (const stack of stacks.splice(0)) await stack.stop();
    rmSync(home, { recursive: true });
  });

  const file = () => join(home, 'started');
  const started = () => (existsSync(file()) ? readFileSync(file(), 'utf8').trim().split('\n') : []);

  async function start(asked: Promise<void>, slow = '') {
    const env = {
      ...process.env,
      FERROLOG_HOME: home,
      FERROLOG_API_PORT: '0',
      FERROLOG_INSPECTOR_PORT: '0',
      NATS_URL: 'nats://127.0.0.1:1',
      STARTED: file(),
      SLOW: slow,
    };
    const say = (): void => undefined;
    stacks.push(await up({ single: false, entry: join(home, 'service.cjs'), env, say, logFolder: home, asked }));
  }

  it('starts one service after the other', async () => {
    await start(new Promise(() => undefined));
    expect(started()).toEqual(['conductor', 'scheduler', 'api', 'inspector-simulator']);
  });

  it('starts none when it is asked to stop before the first', async () => {
    await expect(start(Promise.resolve())).rejects.toThrow('Interrupted.');
    expect(started()).toEqual([]);
  });

  it('starts no further one behind a service that serves in the moment of the wish to stop', async () => {
    const conductorStarts = async (): Promise<void> => {
      while (started().length === 0) await pause(10);
    };
    await expect(start(conductorStarts(), 'conductor')).rejects.toThrow();
    expect(started()).toEqual(['conductor']);
  });
});
