import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const pidFile = (home: string, service: string): string => join(home, 'run', `${service}.pid`);

/** `$FERROLOG_HOME/run/<service>.pid`, there as long as the service runs. Returns what removes it. */
export function writePidFile(home: string, service: string): () => void {
  const path = pidFile(home, service);
  mkdirSync(dirname(path), { recursive: true });
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
