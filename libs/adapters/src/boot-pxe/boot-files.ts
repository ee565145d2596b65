import { lstat, mkdir, open, readdir, readlink, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where loaders look for the file of a MAC, below their root. */
export const LOADER_FOLDER = 'pxelinux.cfg';
/** Where the files themselves lie, by node and attempt: `ferrolog/<node>/<attempt>/<name>`. */
const OWN_FOLDER = 'ferrolog';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NAME = /^(01-)?([0-9a-f]{2}-){5}[0-9a-f]{2}$/;

export interface BootFile {
  /** Name in the loader's folder. */
  readonly name: string;
  readonly text: string;
}

/** Names become paths: what is not exactly a UUID, a number or a MAC never does. */
function checked(value: string, form: RegExp, what: string): string {
  if (!form.test(value)) throw new Error(`${JSON.stringify(value.slice(0, 80))} is not ${what}`);
  return value;
}

const folderOf = (root: string, node: string): string =>
  join(root, OWN_FOLDER, checked(node, UUID, 'the UUID of a node'));
const targetOf = (node: string, attempt: number, name: string): string =>
  join('..', OWN_FOLDER, node, String(attempt), name);

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const ignoreMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error;
};

let temporary = 0;
const temporaryName = (): string => `.${process.pid}-${(temporary += 1)}.tmp`;

/** All of the text or none of it, whoever reads and whoever is killed. */
async function writeWhole(path: string, text: string | Uint8Array): Promise<void> {
  const draft = join(dirname(path), temporaryName());
  const file = await open(draft, 'wx', 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** A file that somebody else put there is not replaced: it may be the boot of a machine that we know nothing of. */
async function assertOurs(link: string): Promise<void> {
  const there = await lstat(link).catch(ignoreMissing);
  if (!there) return;
  const target = there.isSymbolicLink() ? await readlink(link) : null;
  if (target === null || !target.startsWith(join('..', OWN_FOLDER, '/'))) {
    throw new Error(`${link} is there already and was not written for an inspection`);
  }
}

/** Writes the files of an attempt and points the loader's names at them; those of older attempts go. */
export async function writeBootFiles(
  root: string,
  node: string,
  attempt: number,
  files: readonly BootFile[],
): Promise<void> {
  const folder = join(folderOf(root, node), String(attempt));
  const loaders = join(root, LOADER_FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await mkdir(loaders, { recursive: true, mode: 0o755 });
  for (const { name, text } of files) {
    const link = join(loaders, checked(name, NAME, 'the name of a MAC address'));
    await assertOurs(link);
    await writeWhole(join(folder, name), text);
    const draft = join(folder, temporaryName());
    await symlink(targetOf(node, attempt, name), draft);
    await rename(draft, link);
  }
  await removeBootFiles(root, node, attempt - 1);
}

/** Takes away the files of this attempt and of older ones, the loader's names first; what a newer one wrote stays. */
export async function removeBootFiles(root: string, node: string, attempt: number): Promise<void> {
  const folder = folderOf(root, node);
  const entries = await readdir(folder).catch((error: unknown) => (ignoreMissing(error), [] as string[]));
  const attempts = entries.map(Number).filter((n) => Number.isSafeInteger(n) && n <= attempt);
  for (const n of attempts) {
    for (const name of await readdir(join(folder, String(n)))) {
      const link = join(root, LOADER_FOLDER, name);
      const target = await readlink(link).catch(() => null);
      if (target === targetOf(node, n, name)) await unlink(link).catch(ignoreMissing);
    }
    await rm(join(folder, String(n)), { recursive: true, force: true });
  }
  // Not empty: another attempt is at work there.
  if (attempts.length > 0) await rmdir(folder).catch(() => undefined);
}

/** Writes a file of an attempt that no loader looks for; `removeBootFiles` takes it away. */
export async function writeAttemptFile(
  root: string,
  node: string,
  attempt: number,
  name: string,
  content: Uint8Array,
): Promise<void> {
  const folder = join(folderOf(root, node), String(attempt));
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await writeWhole(join(folder, name), content);
  await removeBootFiles(root, node, attempt - 1);
}
