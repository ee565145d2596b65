import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SettingsError } from '@lib/adapters/settings-file';

/** Makes the state folder, or throws SettingsError with one sentence that says why it cannot be one. */
export function prepareHome(home: string): void {
  try {
    makeFolder(home);
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new SettingsError([`FERROLOG_HOME: ${home} cannot be the state folder: ${reasonOf(error)}.`]);
  }
}

/** One level after the other: `recursive` never returns where a folder is there but takes no names, as in /proc. */
function makeFolder(path: string): void {
  const known = statSync(path, { throwIfNoEntry: false });
  if (known?.isDirectory()) return;
  if (known) throw new Error('it is no folder');
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o755 });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is no folder',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be made there',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
