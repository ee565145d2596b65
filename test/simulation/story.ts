import type { Clock } from '@lib/ports';

interface Line {
  readonly at: number;
  /** Null: it concerns all. */
  readonly node: string | null;
  readonly text: string;
}

const LINES_MAX = 40;

/** What happened, for the one who has to find out why. */
export class Story {
  private readonly lines: Line[] = [];
  private readonly start: number;

  constructor(private readonly clock: Pick<Clock, 'now'>) {
    this.start = clock.now();
  }

  tell(node: string | null, text: string): void {
    this.lines.push({ at: this.clock.now(), node, text });
  }

  /** The last lines that concern a node, or all when it is null. */
  tail(node: string | null): readonly string[] {
    return this.lines
      .filter((line) => node === null || line.node === null || line.node === node)
      .slice(-LINES_MAX)
      .map(({ at, node: whose, text }) => {
        const seconds = ((at - this.start) / 1000).toFixed(3).padStart(9);
        return `${seconds} ${whose === null ? '' : `[${whose.slice(-2)}] `}${text}`;
      });
  }

  /** All of it, as one text: two runs of one seed tell the same. */
  whole(): string {
    return this.lines.map(({ at, node, text }) => `${at} ${node ?? '-'} ${text}`).join('\n');
  }
}
