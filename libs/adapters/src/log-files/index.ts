import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogShelf } from '@lib/ports';

const FILLING = '= \t\r\n';

/** Whatever its size: a pattern for all of it could go back and forth over megabytes of blanks. */
function isBase64(text: string): boolean {
  let end = text.length;
  while (end > 0 && FILLING.includes(text.charAt(end - 1))) end -= 1;
  return !/[^A-Za-z0-9+/\s]/.test(text.slice(0, end));
}

/** A folder of archives, one per data of a ramdisk; it is made when the first one comes. */
export const logFiles = (folder: string): LogShelf => ({
  async keep(name, logs) {
    if (!isBase64(logs)) throw new Error('they are no base64');
    await mkdir(folder, { recursive: true });
    // A disk that is full leaves no half archive under the name.
    const written = join(folder, `.${name}.part`);
    try {
      await writeFile(written, Buffer.from(logs, 'base64'), { mode: 0o640 });
      await rename(written, join(folder, name));
    } catch (error) {
      await rm(written, { force: true });
      throw error;
    }
  },
  drop: (name) => rm(join(folder, name), { force: true }),
});
