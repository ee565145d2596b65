import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentCertificates } from '.';

const NODE = 'aaaaaaaa-0000-4000-8000-000000000001';

describe('certificates of agents', () => {
  let home: string;
  beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'ferrolog-certificates-'))));
  afterEach(() => rm(home, { recursive: true }));

  it('are kept in a file of the node, the newest in place of the older, and nothing beside it', async () => {
    const folder = join(home, 'deep', 'certificates');
    const certificates = agentCertificates(folder);
    await certificates.keep(NODE, 'old');
    await certificates.keep(NODE, 'new');
    expect(await readFile(certificates.pathOf(NODE), 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual([`${NODE}.crt`]);
  });

  it('that cannot be kept are said to be', async () => {
    await writeFile(join(home, 'file'), '');
    await expect(agentCertificates(join(home, 'file')).keep(NODE, 'pem')).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});
