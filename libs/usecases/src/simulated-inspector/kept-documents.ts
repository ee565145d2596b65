import type { Logger } from '@lib/ports';

/** A document by its name; null: it is there no longer. */
export type DocumentChanges = ReadonlyMap<string, unknown>;

/** Where documents outlive the process. A save is whole or has not happened, whenever the process dies. */
export interface DocumentShelf {
  save(changes: DocumentChanges): Promise<void>;
}

/**
 * Brings to the shelf what changes, in the order in which it changed. What changes while a save is under way goes with the
 * next one, as it then is: a busy node costs no save per change. Without a shelf nothing is kept, and nobody waits.
 */
export class KeptDocuments {
  private changed = new Map<string, () => unknown>();
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly shelf: DocumentShelf | null,
    private readonly logger: Logger,
  ) {}

  /** `read` gives the document as it is at the time of the save. */
  touch(name: string, read: () => unknown): void {
    if (this.shelf === null) return;
    this.changed.set(name, read);
    this.settled().catch((error: unknown) => {
      this.logger.error({ document: name, error: String(error) }, 'What the simulator knows can not be kept on disk');
    });
  }

  /** Resolves when all that has changed so far is on the shelf. Rejects when it is not; the next one tries it again. */
  settled(): Promise<void> {
    const { shelf } = this;
    if (shelf === null || this.changed.size === 0) return this.saving;
    this.saving = this.saving.catch(() => undefined).then(() => this.save(shelf));
    return this.saving;
  }

  private async save(shelf: DocumentShelf): Promise<void> {
    const batch = this.changed;
    if (batch.size === 0) return;
    this.changed = new Map();
    try {
      await shelf.save(new Map([...batch].map(([name, read]) => [name, read()])));
    } catch (error) {
      this.changed = new Map([...batch, ...this.changed]);
      throw error;
    }
  }
}
