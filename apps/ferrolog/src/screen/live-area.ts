import type { Terminal } from './terminal';

const ESC = String.fromCharCode(27);
const CLEAR_LINE = `${ESC}[2K`;
const CLEAR_BELOW = `${ESC}[0J`;
const HIDE_CURSOR = `${ESC}[?25l`;
const SHOW_CURSOR = `${ESC}[?25h`;

/** Lines at the end of the output that are drawn again in place. Only for a terminal that is live. */
export class LiveArea {
  private drawn = 0;

  constructor(private readonly terminal: Terminal) {}

  /** Replaces the lines drawn before, in one write, so that nothing flickers. Lines must fit the width. */
  draw(lines: readonly string[]): void {
    const shown = fitted(lines, (this.terminal.height() ?? Infinity) - 1);
    this.terminal.write(
      HIDE_CURSOR + this.home() + shown.map((line) => `${CLEAR_LINE}${line}\n`).join('') + CLEAR_BELOW,
    );
    this.drawn = shown.length;
  }

  /** What was drawn last stays; output goes on below it. */
  release(): void {
    this.terminal.write(SHOW_CURSOR);
    this.drawn = 0;
  }

  /** What was drawn goes. */
  clear(): void {
    this.terminal.write(this.home() + CLEAR_BELOW + SHOW_CURSOR);
    this.drawn = 0;
  }

  private readonly home = (): string => (this.drawn > 0 ? `${ESC}[${this.drawn}A` : '');
}

/** What scrolled off the top could not be drawn again. */
function fitted(lines: readonly string[], linesMax: number): readonly string[] {
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax - 1), `… ${lines.length - linesMax + 1} more lines; a higher window shows them`];
}
