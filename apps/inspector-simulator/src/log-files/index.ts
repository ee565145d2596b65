import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogShelf } from '@lib/usecases/simulated-inspector';

/** A folder of archives, one per data of a ramdisk; it is made when the first one comes. */
export const logFiles = (folder: string): LogShelf => ({
  async keep(name, logs) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), Buffer.from(logs, 'base64'), { mode: 0o640 });
  },
});
