import { LiveArea, spanText, type Terminal } from '../screen';
import type { FleetResult } from './run';

const LINE_EVERY_MS = 5000;

/** One line about how far it is: redrawn in place on a terminal, else said now and then. */
export class Progress {
  private readonly area: LiveArea | null;
  private readonly started = performance.now();
  private saidMs = this.started;
  private ended = 0;
  private wrong = 0;

  constructor(
    private readonly terminal: Terminal,
    private readonly total: number,
  ) {
    this.area = terminal.live ? new LiveArea(terminal) : null;
    this.area?.draw([this.line()]);
  }

  add({ differences }: FleetResult): void {
    this.ended += 1;
    if (differences.length > 0) this.wrong += 1;
    this.area?.draw([this.line()]);
    const now = performance.now();
    if (this.area || now - this.saidMs < LINE_EVERY_MS) return;
    this.saidMs = now;
    this.terminal.write(`${this.line()}\n`);
  }

  close(): void {
    this.area?.clear();
  }

  private line(): string {
    const wrong = this.wrong > 0 ? `, ${this.wrong} not as scripted` : '';
    return `${this.ended} of ${this.total} nodes have ended${wrong}, ${spanText(performance.now() - this.started)}`;
  }
}
