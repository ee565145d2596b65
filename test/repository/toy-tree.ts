import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes files (path -> text) into a new temporary folder. */
export function plant(files: Readonly<Record<string, string>>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'toy-tree-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
