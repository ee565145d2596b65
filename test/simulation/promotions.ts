import type { Effect, NodeEvent, StoredInventory } from '@lib/domain';

/** What would touch the machine. */
const touching: readonly Effect['task']['kind'][] = ['power', 'clean up boot', 'start introspection'];

/** Follows the refused data of one node, and the attempts that use it: they take just that, and leave the machine alone. */
export class Promotions {
  private readonly kept = new Map<number, StoredInventory>();
  /** Attempts that use refused data. */
  private readonly using = new Set<number>();

  /** What is wrong with an event. */
  heard(event: NodeEvent): string | null {
    switch (event.type) {
      case 'NodeEnrolled':
        this.kept.clear();
        return null;
      case 'InspectionDataRefused':
        this.kept.set(event.data.record, event.data.payload);
        return null;
      case 'InspectionStarted':
        return this.started(event.data);
      default:
        return this.wrongCleanUp(event);
    }
  }

  private started({ promotes, attempt, effect }: Extract<NodeEvent, { type: 'InspectionStarted' }>['data']) {
    if (promotes === undefined) return null;
    this.using.add(attempt);
    const kept = this.kept.get(promotes);
    const used = effect.task.kind === 'process inspection data' ? effect.task.payload : null;
    const isSame = kept?.inventory === used?.inventory && kept?.pluginData === used?.pluginData;
    return kept && used && isSame
      ? null
      : `attempt ${attempt} uses refused data ${promotes}, which is not what was kept`;
  }

  private wrongCleanUp({ type, data }: NodeEvent): string | null {
    if (!('attempt' in data) || data.attempt === null || !this.using.has(data.attempt)) return null;
    const left = 'cleanUp' in data ? data.cleanUp : 'next' in data && data.next ? [data.next] : [];
    const [touches] = left.filter(({ task }) => touching.includes(task.kind));
    return touches ? `${type}: attempt ${data.attempt}, of refused data, leads to "${touches.task.kind}"` : null;
  }
}
