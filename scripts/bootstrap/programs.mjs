import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps servers in sbin, which is not on everyone's PATH. */
const alsoLookIn = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** Full path of a program, null when it is not installed. */
export function findProgram(name, env = process.env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...folders, ...alsoLookIn].map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
