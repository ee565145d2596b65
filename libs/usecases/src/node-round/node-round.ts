import type { Clock, Condition, Logger, ReadModel, Timer } from '@lib/ports';

/** What is done with which nodes, and how often. */
export interface Round {
  /** Between the end of a pass and the next; 0 or less: none by itself. */
  readonly periodMs: number;
  /** Nodes that are looked at a time. */
  readonly workers: number;
  /** For the log: a pass was cut short, or one node had no look. */
  readonly words: { readonly cutShort: string; readonly missed: string };
  /** Asked once a pass; null: it concerns no node at all. `isMine` tells by a document (JSON) what no column does. */
  among(): Promise<{ readonly where: readonly Condition[]; isMine?(json: string): boolean } | null>;
  lookAt(uuid: string): Promise<void>;
  /** A pass has come to all of them. */
  done?(): void;
}

const PAGE = 500;

/** Passes over nodes, one after the other, page by page, with a bounded number of workers. */
export class NodeRound {
  private readonly abort = new AbortController();
  private timer: Timer | null = null;
  private pass: Promise<void> = Promise.resolve();

  constructor(
    private readonly round: Round,
    private readonly deps: { readonly readModel: ReadModel; readonly clock: Clock; readonly logger: Logger },
  ) {}

  /** Aborted as soon as it is stopped. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  start(): void {
    const { periodMs, words } = this.round;
    if (periodMs <= 0 || this.signal.aborted) return;
    this.timer = this.deps.clock.after(periodMs, () => {
      this.pass = this.run()
        .catch((error: unknown) => this.deps.logger.warn({ reason: String(error) }, words.cutShort))
        .finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.abort.abort();
    this.timer?.cancel();
    await this.pass;
  }

  /** One pass. */
  async run(): Promise<void> {
    const among = await this.round.among();
    if (among === null) return;
    const { where, isMine = () => true } = among;
    const sort = { column: 'seq', descending: false };
    for (let after: string | undefined; !this.signal.aborted;) {
      const page = await this.deps.readModel.list({ kind: 'node', where, sort, limit: PAGE, after });
      // The last node of the page before was removed meanwhile: the rest has its turn in the next pass.
      if (!page) return;
      await this.lookAtAll(page.filter(({ json }) => isMine(json)).map(({ id }) => id));
      if (page.length < PAGE) return this.round.done?.();
      after = page.at(-1)?.id;
    }
  }

  private async lookAtAll(uuids: readonly string[]): Promise<void> {
    const queue = uuids[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const node of queue) {
        if (this.signal.aborted) return;
        const { lookAt, words } = this.round;
        await lookAt(node).catch((error: unknown) =>
          this.deps.logger.warn({ node, reason: String(error) }, words.missed),
        );
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.round.workers, uuids.length) }, worker));
  }
}
