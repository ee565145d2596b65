import { cut, LiveArea, type Terminal } from '../screen';

const DRAW_EVERY_MS = 100;

/** One line about how far it is, redrawn in place; nothing where lines cannot be redrawn. */
export class ProgressLine {
  private readonly area: LiveArea | null;
  private drawnMs = -Infinity;

  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.area = terminal.live ? new LiveArea(terminal) : null;
  }

  show(what: string, done: number, of: number): void {
    if (!this.area || (done < of && this.now() - this.drawnMs < DRAW_EVERY_MS)) return;
    this.drawnMs = this.now();
    const share = of === 0 ? 100 : Math.min(100, Math.floor((100 * done) / of));
    this.area.draw([cut(`${what}: ${done} of ${of} events, ${share} %`, this.terminal.width() ?? 80)]);
  }

  /** What is written next stands where the line was. */
  clear(): void {
    this.area?.clear();
    this.drawnMs = -Infinity;
  }
}
