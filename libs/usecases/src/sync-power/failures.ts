/** How often in a row each machine was not as it should be. In memory: another conductor counts anew. */
export class Failures {
  private counts = new Map<string, number>();
  private seen = new Set<string>();

  /** One more; gives how many there are now. */
  another(uuid: string): number {
    const times = (this.counts.get(uuid) ?? 0) + 1;
    this.counts.set(uuid, times);
    this.seen.add(uuid);
    return times;
  }

  none(uuid: string): void {
    this.counts.delete(uuid);
  }

  /** At the end of a pass: those that it did not count are not in a row any more. */
  forgetUnseen(): void {
    for (const uuid of this.counts.keys()) if (!this.seen.has(uuid)) this.counts.delete(uuid);
    this.seen = new Set();
  }
}
