import type { LogShelf } from '@lib/ports';

/** Logs of ramdisks where no file system is wanted. */
export class MemoryLogShelf implements LogShelf {
  readonly kept = new Map<string, string>();

  async keep(name: string, logs: string): Promise<void> {
    this.kept.set(name, logs);
  }

  async drop(name: string): Promise<void> {
    this.kept.delete(name);
  }
}
