import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareHome } from './home';

describe('the state folder', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'home-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made with all that lies above it, and may be there already', () => {
    const home = join(folder, 'a', 'b', 'c');
    prepareHome(home);
    prepareHome(home);
    expect(existsSync(home)).toBe(true);
  });

  it.each([
    ['a file', 'file', 'it is no folder'],
    ['below a file', 'file/home', 'a part of the path is no folder'],
  ])('cannot be %s', (_what, path, reason) => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => prepareHome(join(folder, path))).toThrow(
      `FERROLOG_HOME: ${join(folder, path)} cannot be the state folder: ${reason}.`,
    );
  });

  // With `recursive` the process would turn round for ever here, deaf to every signal.
  const withProc = existsSync('/proc/self') ? it : it.skip;
  withProc('cannot be where nothing can be made', () => {
    expect(() => prepareHome('/proc/ferrolog/home')).toThrow('/proc/ferrolog/home cannot be the state folder');
  });
});
