import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, REPOSITORY } from '../stack';
import type { Report } from '.';

const script = join(REPOSITORY, 'scripts', 'bench.mjs');
const bench = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

/** That every measure works, by its smallest form. How fast anything is, no test says: the machine is not ours alone. */
describe('npm run bench', () => {
  it('measures everything that it names, and says of each aim whether it was met', () => {
    ensureBuilt();
    const { status, stdout, stderr } = bench('--quick', '--json', '-');
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    const { rows, machine } = JSON.parse(stdout) as Report;
    expect(machine).toMatchObject({ cores: expect.any(Number), nats: expect.stringMatching(/^\d/) });
    const measured = rows.map(({ measure, name }) => `${measure}: ${name}`).join('\n');
    for (const part of [
      'show: show of one node among 50',
      'show: show of one node among 200',
      'list: list of 1,000',
      'list: list in detail of 1,000',
      'commands: accepted create commands at 1 connection',
      'commands: accepted create commands at 128 connections',
      'commands: accepted PATCH commands at 32 connections',
      'pages: first page of 1,000 in detail',
      'pages: deep page of 1,000 in detail',
      'commands: accepted inspect commands at 32 connections',
      'cycles: inspections of 20 nodes, ended by their callback',
      'cycles: inspections of 20 nodes, ended by their timeout',
      'cycles: inspections of 20 nodes, ended by abort',
      'inspections: inspections of 40 machines in band with data of 60 KB',
      'inspections: callbacks of 60 KB answered, p99',
      'inspections: lateness of 4 deadlines meanwhile, p99',
      'inspections: resident memory of the conductor, peak',
      'deadlines: lateness of 100 deadlines due within 1 s',
      'deadlines: lateness of 100 deadlines due at once',
      'fold: fold of ',
      'memory: resident memory of all services, idle',
      'memory: resident memory in one process (--single), loaded',
      'memory: resident memory of all services, largest in this run',
    ])
      expect(measured).toContain(part);
    for (const { value, aim, beside } of rows) {
      expect(value.median).toBeGreaterThanOrEqual(0);
      if (beside !== undefined) expect(beside.ratio.median).toBeGreaterThan(0);
      if (aim !== undefined) expect(typeof aim.met).toBe('boolean');
    }
    // None early, however slow the machine is.
    const deadlines = rows.filter(({ measure }) => measure === 'deadlines');
    expect(deadlines.flatMap(({ notes }) => notes?.filter((note) => / 0 early$/.test(note)) ?? [])).toHaveLength(2);
  }, 600_000);

  it('can watch the memory under a steady load', () => {
    const { status, stdout } = bench('--soak', '0.05');
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('growth of resident memory'),
    });
  }, 300_000);

  it('says what it does not know', () => {
    expect(bench('--only', 'love')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('"love"') });
    expect(bench('--soak', 'long')).toMatchObject({ status: 2, stderr: expect.stringContaining('"long"') });
  }, 120_000);
});
