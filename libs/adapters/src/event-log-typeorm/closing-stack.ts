/** Closes what was opened, last first, once. */
export class ClosingStack {
  private steps: (() => Promise<void>)[] = [];
  private closing: Promise<void> = Promise.resolve();

  push(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  close(): Promise<void> {
    const steps = this.steps.reverse();
    this.steps = [];
    if (steps.length > 0) this.closing = steps.reduce((before, step) => before.then(step), Promise.resolve());
    return this.closing;
  }
}
