import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own of a few MiB, to be filled and freed. */
export interface SmallDisk {
  readonly folder: string;
  /** Not a byte is left. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** Null, and a word why, where this process may not mount a file system. */
export function smallDisk(mib: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    process.stderr.write(`Skipped: what a full disk does: no file system can be mounted here (${String(error)})\n`);
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => [65_536, 4_096, 1].forEach((bytes) => fillBy(filler, Buffer.alloc(bytes))),
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fillBy(path: string, block: Buffer): void {
  try {
    for (;;) appendFileSync(path, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
