import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';

const DEBIAN = '/usr/lib/postgresql';

/** Folder of the newest installed server's programs, null when there is none. Debian keeps them off the PATH. */
export function postgresFolder(): string | null {
  const versions = namesIn(DEBIAN).sort((a, b) => Number(b) - Number(a));
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return (
    folders.find(
      (folder) => folder !== '' && isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')),
    ) ?? null
  );
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The server refuses to run as root: root lends it the package's own user, or one without rights. */
export function serverUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres', 'nobody'].flatMap((name) => users.filter((user) => user.startsWith(`${name}:`)))[0];
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres or nobody to run the server');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Where temporary folders of another user can be: `npm test` has a folder of its own that only its owner may enter. */
export function reachableFolder(user: User | null): string {
  const folders = [tmpdir(), '/tmp', '/var/tmp'];
  const folder = user === null ? folders[0] : folders.find(isOpen);
  if (folder === undefined) throw new Error(`none of ${folders.join(', ')} can be entered by everybody`);
  return folder;
}

const isOpen = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isOpen(dirname(path)));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
