import type { NodeEvent } from '@lib/domain';
import { AbortReasons } from './abort-reasons';
import { DeadlineBook } from './deadline-book';
import { Promotions } from './promotions';

/** What operators said about one node, by its log alone: of its waits, why they had work aborted, what refused data they used. */
export class NodeBook {
  readonly deadlines = new DeadlineBook();
  private readonly reasons = new AbortReasons();
  private readonly promotions = new Promotions();

  /** What is wrong with an event, seeing its cause, and whether it is the first that its command decided. */
  heard(event: NodeEvent, causation: string, isFirst = true): readonly string[] {
    const [, n] = /^deadline (\d+)$/.exec(causation) ?? [];
    const passed = n === undefined ? null : Number(n);
    const found = [
      this.deadlines.heard(event, passed, isFirst),
      this.reasons.heard(event),
      this.promotions.heard(event),
    ];
    return found.filter((wrong) => wrong !== null);
  }
}
