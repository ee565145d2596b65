import type { Effect, NodeEvent, StoredInventory } from '@lib/domain';

/** What would touch the machine. */
const touching: readonly Effect['task']['kind'][] = ['power', 'clean up boot', 'start introspection'];

type Started = Extract<NodeEvent, { type: 'InspectionStarted' }>['data'];

/**
 * Follows the data of one node: what was refused and kept, and what was taken. An attempt that uses it uses just that, and leaves the
 * machine alone.
 */
export class DataAttempts {
  private readonly kept = new Map<number, StoredInventory>();
  /** The last that was taken, and the attempt that it came in. */
  private posted: { readonly attempt: number; readonly payload: StoredInventory } | null = null;
  /** Attempts that use data that was there. */
  private readonly using = new Set<number>();

  /** What is wrong with an event. */
  heard(event: NodeEvent): string | null {
    switch (event.type) {
      case 'NodeEnrolled':
        this.kept.clear();
        this.posted = null;
        return null;
      case 'InspectionDataRefused':
        this.kept.set(event.data.record, event.data.payload);
        return null;
      case 'InspectionResumed':
        this.took(event.data.effect, event.data.attempt);
        return null;
      case 'InspectionStarted':
        return this.started(event.data);
      default:
        return this.wrongCleanUp(event);
    }
  }

  private took({ task }: Effect, attempt: number): void {
    if (task.kind === 'process inspection data') this.posted = { attempt, payload: task.payload };
  }

  private started({ promotes, reprocesses, attempt, effect }: Started): string | null {
    if (promotes === undefined && reprocesses === undefined) return null;
    this.using.add(attempt);
    const there = promotes === undefined ? this.postedIn(reprocesses) : this.kept.get(promotes);
    const used = effect.task.kind === 'process inspection data' ? effect.task.payload : undefined;
    this.took(effect, reprocesses ?? attempt);
    const isSame = there && there.inventory === used?.inventory && there.pluginData === used.pluginData;
    return isSame ? null : `attempt ${attempt} uses data that is not what was there`;
  }

  private postedIn(attempt: number | undefined): StoredInventory | undefined {
    return this.posted?.attempt === attempt ? this.posted?.payload : undefined;
  }

  private wrongCleanUp({ type, data }: NodeEvent): string | null {
    if (!('attempt' in data) || data.attempt === null || !this.using.has(data.attempt)) return null;
    const left = 'cleanUp' in data ? data.cleanUp : 'next' in data && data.next ? [data.next] : [];
    const [touches] = left.filter(({ task }) => touching.includes(task.kind));
    return touches ? `${type}: attempt ${data.attempt} uses data, and leads to "${touches.task.kind}"` : null;
  }
}
