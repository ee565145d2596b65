import type { Clock, Timer } from '@lib/ports';
import { LiveArea, spanText, type Terminal } from '../screen';
import type { FleetResult } from './run';

const DRAW_EVERY_MS = 1000;
/** Where lines stay, in the log of a job for instance. */
const LINE_EVERY_MS = 10_000;

/** One line about how far it is, also while no node ends: redrawn in place on a terminal, else said now and then. */
export class Progress {
  private readonly area: LiveArea | null;
  private readonly startedMs: number;
  private timer: Timer | null = null;
  private ended = 0;
  private wrong = 0;

  constructor(
    private readonly terminal: Terminal,
    private readonly total: number,
    private readonly clock: Clock,
  ) {
    this.area = terminal.live ? new LiveArea(terminal) : null;
    this.startedMs = clock.now();
    this.area?.draw([this.line()]);
    this.goOn();
  }

  add({ differences }: FleetResult): void {
    this.ended += 1;
    if (differences.length > 0) this.wrong += 1;
    this.area?.draw([this.line()]);
  }

  close(): void {
    this.timer?.cancel();
    this.area?.clear();
  }

  private goOn(): void {
    this.timer = this.clock.after(this.area ? DRAW_EVERY_MS : LINE_EVERY_MS, () => {
      if (this.area) this.area.draw([this.line()]);
      else this.terminal.write(`${this.line()}\n`);
      this.goOn();
    });
  }

  private line(): string {
    const wrong = this.wrong > 0 ? `, ${this.wrong} not as scripted` : '';
    return `${this.ended} of ${this.total} nodes have ended${wrong}, ${spanText(this.clock.now() - this.startedMs)}`;
  }
}
