import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { masterKey } from '.';

const chance = { uuid: () => randomUUID(), bytes: (length: number) => randomBytes(length) };

describe('the master key', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ferrolog-key-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  it('is what the environment says', async () => {
    const key = randomBytes(32);
    expect(Buffer.from(await masterKey(key.toString('base64'), home, chance))).toEqual(key);
    expect(await readdir(home)).toEqual([]);
  });

  it.each(['short', 'A'.repeat(44), `${randomBytes(33).toString('base64')}`])('is not %p', async (text) => {
    await expect(masterKey(text, home, chance)).rejects.toThrow('FERROLOG_MASTER_KEY is not a key');
  });

  it('is made at the first start, for its owner alone, and read from then on', async () => {
    const path = join(home, 'state', 'master.key');
    const key = await masterKey(undefined, join(home, 'state'), chance);
    expect(key).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(home, 'state'))).toEqual(['master.key']);
    expect(await masterKey('', join(home, 'state'), chance)).toEqual(key);
  });

  it('is one key for two first starts at the same moment', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => masterKey(undefined, home, chance)));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(await readdir(home)).toEqual(['master.key']);
  });

  it.each([0o644, 0o640, 0o604])('is not taken from a file of mode %o', async (mode) => {
    await masterKey(undefined, home, chance);
    await chmod(join(home, 'master.key'), mode);
    await expect(masterKey(undefined, home, chance)).rejects.toThrow(/can be read by others .*; run: chmod 600 /);
  });

  it('is never made anew over a file that holds none', async () => {
    await writeFile(join(home, 'master.key'), 'torn', { mode: 0o600 });
    await expect(masterKey(undefined, home, chance)).rejects.toThrow('master.key is not a key');
    expect(await readFile(join(home, 'master.key'), 'utf8')).toBe('torn');
  });
});
