/**
 * Serialises work per key: order, not a lock (architecture, rule 11). Different keys run side by side. A key takes at most
 * `depthMax` waiting tasks; beyond that `run` rejects with MailboxFull.
 */
export class MailboxFull extends Error {
  constructor(key: string) {
    super(`too much work is waiting for ${key}`);
    this.name = 'MailboxFull';
  }
}

export class Mailboxes {
  private readonly tails = new Map<string, { tail: Promise<unknown>; depth: number }>();

  constructor(private readonly depthMax: number) {}

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const box = this.tails.get(key) ?? { tail: Promise.resolve(), depth: 0 };
    if (box.depth >= this.depthMax) throw new MailboxFull(key);
    box.depth += 1;
    this.tails.set(key, box);
    const result = box.tail.then(task);
    box.tail = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      box.depth -= 1;
      if (box.depth === 0) this.tails.delete(key);
    }
  }
}
