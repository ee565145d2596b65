import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `$FERROLOG_HOME/run/<service>.pid`, there as long as the service runs. Returns what removes it. */
export function writePidFile(home: string, service: string): () => void {
  const folder = join(home, 'run');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${service}.pid`);
  const own = `${process.pid}\n`;
  writeFileSync(path, own);
  return () => {
    // Another process may have taken the name since.
    if (contentOf(path) === own) rmSync(path, { force: true });
  };
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
