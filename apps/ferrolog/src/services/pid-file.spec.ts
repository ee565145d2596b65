import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePidFile } from './pid-file';

it('a pid file names the process as long as it runs', () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  const path = join(home, 'run', 'api.pid');
  const remove = writePidFile(home, 'api');
  expect(Number(readFileSync(path, 'utf8'))).toBe(process.pid);
  const removeAgain = writePidFile(home, 'api');
  remove();
  expect(existsSync(path)).toBe(false);
  expect(removeAgain).not.toThrow();
  rmSync(home, { recursive: true });
});

it('the pid file of another process stays', () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  const path = join(home, 'run', 'api.pid');
  const remove = writePidFile(home, 'api');
  writeFileSync(path, '1\n');
  remove();
  expect(readFileSync(path, 'utf8')).toBe('1\n');
  rmSync(home, { recursive: true });
});
