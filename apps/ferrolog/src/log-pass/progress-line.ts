import { cut, LiveArea, type Terminal } from '../screen';

const DRAW_EVERY_MS = 100;
/** Where lines stay, in the log of a job for instance. */
const LINE_EVERY_MS = 10_000;

/** How far it is: one line redrawn in place, or where that is not possible a line now and then, none of a quick pass. */
export class ProgressLine {
  private readonly area: LiveArea | null;
  private readonly everyMs: number;
  private shownMs: number;

  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.area = terminal.live ? new LiveArea(terminal) : null;
    this.everyMs = this.area ? DRAW_EVERY_MS : LINE_EVERY_MS;
    this.shownMs = this.area ? -Infinity : now();
  }

  show(what: string, done: number, of: number): void {
    const isEnd = this.area !== null && done >= of;
    if (!isEnd && this.now() - this.shownMs < this.everyMs) return;
    this.shownMs = this.now();
    const share = of === 0 ? 100 : Math.min(100, Math.floor((100 * done) / of));
    const line = `${what}: ${done} of ${of} events, ${share} %`;
    if (this.area) this.area.draw([cut(line, this.terminal.width() ?? 80)]);
    else this.terminal.write(`${line}\n`);
  }

  /** What is written next stands where the line was. */
  clear(): void {
    if (!this.area) return;
    this.area.clear();
    this.shownMs = -Infinity;
  }
}
