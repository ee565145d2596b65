import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Full path of a C compiler on the PATH, null when there is none. */
export function compilerPath(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = folders.flatMap((folder) => ['cc', 'gcc'].map((name) => join(folder || '.', name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Lets the syncs of SQLite hang in processes that are started with `env` (sync-stall.c). */
export class SyncStall {
  private readonly folder = mkdtempSync(join(tmpdir(), 'ferrolog-stall-'));
  private readonly flag = join(this.folder, 'stalled');

  constructor(compiler: string) {
    const args = ['-shared', '-fPIC', '-O1', '-o', this.library, join(__dirname, 'sync-stall.c'), '-ldl'];
    execFileSync(compiler, args, { stdio: 'pipe' });
  }

  get env(): Readonly<Record<string, string>> {
    return { LD_PRELOAD: this.library, STALL_FLAG: this.flag };
  }

  stall(): void {
    rmSync(`${this.flag}.reached`, { force: true });
    writeFileSync(this.flag, '');
  }

  /** Whether a sync hangs. */
  reached(): boolean {
    return existsSync(`${this.flag}.reached`);
  }

  /** What hangs goes on. */
  release(): void {
    rmSync(this.flag, { force: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get library(): string {
    return join(this.folder, 'sync-stall.so');
  }
}
