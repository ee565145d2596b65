import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `$FERROLOG_HOME/run/<service>.pid`, there as long as the service runs. Returns what removes it. */
export function writePidFile(home: string, service: string): () => void {
  const folder = join(home, 'run');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${service}.pid`);
  writeFileSync(path, `${process.pid}\n`);
  return () => rmSync(path, { force: true });
}
