import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOPELESS, Supervised } from './supervisor';

/** A service that does what the next line of its script says: `serve`, `serve then exit N`, `exit N`, `hang`, `deaf`. */
const program = `
const { appendFileSync, readFileSync } = require('node:fs');
const [words] = [readFileSync(process.env.SCRIPT, 'utf8').trim().split('\\n')];
const lives = process.env.LIVES;
appendFileSync(lives, process.pid + '\\n');
const life = readFileSync(lives, 'utf8').trim().split('\\n').length;
const word = words[Math.min(life, words.length) - 1];
const code = Number(/\\d+$/.exec(word)?.[0] ?? 0);
process.on('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
const keep = setInterval(() => undefined, 1000);
if (word.startsWith('serve')) process.send({ ready: true, url: 'http://here/' + life }, () => {
  if (word.includes('exit')) process.exit(code);
});
else if (word.startsWith('exit')) process.exit(code);
`;

describe('a supervised service', () => {
  let folder: string;
  let said: string[];
  let givenUp: string[];
  let service: Supervised;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'supervised-'));
    writeFileSync(join(folder, 'service.cjs'), program);
    writeFileSync(join(folder, 'lives'), '');
    said = [];
    givenUp = [];
  });
  afterEach(async () => {
    await service.stop();
    expect(pids().filter(isAlive)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  const pids = (): number[] =>
    readFileSync(join(folder, 'lives'), 'utf8').trim().split('\n').filter(Boolean).map(Number);
  function isAlive(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  function supervised(...words: string[]): Supervised {
    writeFileSync(join(folder, 'script'), words.join('\n'));
    const env = { ...process.env, SCRIPT: join(folder, 'script'), LIVES: join(folder, 'lives') };
    service = new Supervised({
      name: 'conductor',
      entry: join(folder, 'service.cjs'),
      env,
      say: (line) => void said.push(line),
      onGivenUp: (sentence) => void givenUp.push(sentence),
      logFile: join(folder, 'log'),
    });
    return service;
  }

  async function until(holds: () => boolean): Promise<void> {
    for (let tries = 0; !holds(); tries += 1) {
      if (tries > 1000) throw new Error(`in vain; said: ${said.join(' | ')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('is up when it says so, with its address, and ends when it is stopped', async () => {
    await expect(supervised('serve').start()).resolves.toBe('http://here/1');
    const [pid = 0] = pids();
    expect(isAlive(pid)).toBe(true);
    await service.stop();
    expect(isAlive(pid)).toBe(false);
    expect(said).toEqual([]);
  });

  it('is started again when it dies, with growing pauses, and says so', async () => {
    await supervised('serve then exit 3', 'exit 4', 'serve').start();
    await until(() => said.includes('conductor is back'));
    expect(pids()).toHaveLength(3);
    expect(said).toEqual([
      'conductor ended (3); starting it again in 250 ms',
      'conductor ended (4); starting it again in 500 ms',
      'conductor is back',
    ]);
  });

  it('is started again when somebody kills it', async () => {
    await supervised('serve').start();
    process.kill(pids()[0] ?? 0, 'SIGKILL');
    await until(() => said.includes('conductor is back'));
    expect(said[0]).toContain('SIGKILL');
  });

  it('is tried again when its first start fails for a passing reason', async () => {
    await expect(supervised('exit 1', 'serve').start()).resolves.toBe('http://here/2');
  });

  it('is given up when its start fails again and again', async () => {
    await expect(supervised('exit 1').start()).rejects.toThrow('conductor could not start; its reason is in');
    expect(pids()).toHaveLength(4);
  });

  it('is given up when its start is hopeless', async () => {
    await expect(supervised(`exit ${HOPELESS}`).start()).rejects.toThrow('conductor could not start');
    expect(pids()).toHaveLength(1);
  });

  it('is given up when it becomes hopeless later', async () => {
    await supervised('serve then exit 1', `exit ${HOPELESS}`, 'serve').start();
    await until(() => said.some((line) => line.includes('not started again')));
    expect(pids()).toHaveLength(2);
    expect(givenUp).toEqual([expect.stringContaining('conductor can not go on')]);
  });

  it('ends while it waits to be started again', async () => {
    await supervised('serve then exit 1').start();
    await until(() => said.length >= 3);
    const lives = pids().length;
    await service.stop();
    expect(pids()).toHaveLength(lives);
  });

  it('ends before it was up, and whoever waits for its start is told', async () => {
    const started = supervised('hang').start();
    const told = expect(started).rejects.toThrow('stopped before it served');
    await until(() => pids().length === 1);
    await service.stop();
    await told;
  });

  it('is stopped twice without harm', async () => {
    await supervised('serve').start();
    await Promise.all([service.stop(), service.stop()]);
  });
});
