import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chance } from '@lib/ports';
import { KEY_BYTES } from './cipher';

/**
 * The master key: the text of FERROLOG_MASTER_KEY where it is set, else `master.key` of the state folder, made at the
 * first start. Rejects with one sentence.
 */
export async function masterKey(text: string | undefined, home: string, chance: Pick<Chance, 'bytes' | 'uuid'>) {
  return text === undefined || text === '' ? masterKeyFromFile(home, chance) : masterKeyFromText(text);
}

export function masterKeyFromText(text: string): Uint8Array {
  return decode(text, 'FERROLOG_MASTER_KEY');
}

/** Reads `master.key` of the folder, base64, mode 0600; makes it when it is not there. */
export async function masterKeyFromFile(home: string, chance: Pick<Chance, 'bytes' | 'uuid'>): Promise<Uint8Array> {
  const path = join(home, 'master.key');
  await mkdir(home, { recursive: true });
  const mode = (await modeOf(path)) ?? (await makeFile(path, home, chance));
  if ((mode & 0o077) !== 0) {
    throw new Error(`${path} can be read by others (mode ${(mode & 0o777).toString(8)}); run: chmod 600 ${path}`);
  }
  return decode(await readFile(path, 'utf8'), path);
}

async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Written beside, flushed, then linked to its name: nobody reads half a key, and of two first starts one makes it and
 * both read it.
 */
async function makeFile(path: string, home: string, chance: Pick<Chance, 'bytes' | 'uuid'>): Promise<number> {
  const beside = join(home, `.master.key.${chance.uuid()}`);
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(`${Buffer.from(chance.bytes(KEY_BYTES)).toString('base64')}\n`);
    await file.sync();
    await link(beside, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncFolder(home);
    return (await stat(path)).mode;
  } finally {
    await file.close();
    await rm(beside);
  }
}

/** The name has to survive a power cut as well: everything sealed hangs on this key. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function decode(text: string, source: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== text.trim()) {
    throw new Error(`${source} is not a key: it has to be ${KEY_BYTES} bytes in base64 (openssl rand -base64 32)`);
  }
  return new Uint8Array(key);
}
