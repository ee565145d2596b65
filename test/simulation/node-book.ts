import type { NodeEvent } from '@lib/domain';
import { AbortReasons } from './abort-reasons';
import { DataAttempts } from './data-attempts';
import { DeadlineBook } from './deadline-book';

/** What operators said about one node, by its log alone: of its waits, why they had work aborted, what data they used again. */
export class NodeBook {
  readonly deadlines = new DeadlineBook();
  private readonly reasons = new AbortReasons();
  private readonly data = new DataAttempts();

  /** What is wrong with an event, seeing its cause, and whether it is the first that its command decided. */
  heard(event: NodeEvent, causation: string, isFirst = true): readonly string[] {
    const [, n] = /^deadline (\d+)$/.exec(causation) ?? [];
    const passed = n === undefined ? null : Number(n);
    const found = [this.deadlines.heard(event, passed, isFirst), this.reasons.heard(event), this.data.heard(event)];
    return found.filter((wrong) => wrong !== null);
  }
}
