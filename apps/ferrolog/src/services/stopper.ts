/** Things to undo at the end, last first; one that fails does not keep the others from their turn. */
export class Stopper {
  private readonly steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.steps.unshift(step);
  }

  async stop(): Promise<void> {
    for (const step of this.steps.splice(0)) {
      try {
        await step();
      } catch (error) {
        process.stderr.write(`stopping: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  }
}
