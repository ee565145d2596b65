import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logFiles } from '.';

describe('a folder of logs', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'log-files-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made with the first archive, which has what came and is not for everybody', async () => {
    const made = join(folder, 'made', 'here');
    const archive = Buffer.from([0x1f, 0x8b, 8, 0, 255]);
    await logFiles(made).keep('n1.tar.gz', archive.toString('base64'));
    expect(readdirSync(made)).toEqual(['n1.tar.gz']);
    expect(readFileSync(join(made, 'n1.tar.gz'))).toEqual(archive);
    expect(statSync(join(made, 'n1.tar.gz')).mode & 0o007).toBe(0);
  });

  it.each(['%%%', 'H4sI\u0000', '../../etc/passwd', 'H4=sI'])(
    'says that %j is no base64, and makes no file',
    async (text) => {
      await expect(logFiles(folder).keep('n1.tar.gz', text)).rejects.toThrow('no base64');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it.each([' ', '=', 'A', '\n'])(
    'sees at once what megabytes of %j with something odd behind them are',
    async (filling) => {
      const text = `${filling.repeat(4_000_000)}%`;
      await expect(logFiles(folder).keep('n1.tar.gz', text)).rejects.toThrow('no base64');
    },
  );

  it('takes base64 in lines', async () => {
    await logFiles(folder).keep('n1.tar.gz', 'H4sI\nAAA=\n');
    expect(readFileSync(join(folder, 'n1.tar.gz'))).toEqual(Buffer.from('H4sIAAA=', 'base64'));
  });

  it('leaves nothing of an archive that it can not keep', async () => {
    mkdirSync(join(folder, 'n1.tar.gz'));
    await expect(logFiles(folder).keep('n1.tar.gz', 'H4sI')).rejects.toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['n1.tar.gz']);
  });

  it('drops an archive, and one that is not there', async () => {
    await logFiles(folder).keep('n1.tar.gz', 'H4sI');
    await logFiles(folder).drop('n1.tar.gz');
    await logFiles(join(folder, 'nowhere')).drop('n1.tar.gz');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says that it can not keep an archive where its place is taken by something else', async () => {
    writeFileSync(join(folder, 'file'), '');
    chmodSync(join(folder, 'file'), 0o600);
    await expect(logFiles(join(folder, 'file')).keep('n1.tar.gz', 'H4sI')).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});
