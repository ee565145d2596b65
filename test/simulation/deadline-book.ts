import type { DeadlineEvent, NodeEvent } from '@lib/domain';

interface Wait {
  readonly due: number;
  /** Since when its time stands still; null: it runs. */
  readonly pausedAt: number | null;
}

/** A row of the deadlines that are read. */
interface Row {
  readonly n: number;
  readonly due: number;
  readonly status: string;
}

/**
 * The deadlines of one node as its log tells of them, without the fold that the rules go by: it says what a word of an operator, or
 * the passing of a deadline, breaks.
 */
export class DeadlineBook {
  private readonly waits = new Map<number, Wait>();
  /** The wait of the attempt that is open, and whether an operator has spoken of it. */
  private current: { readonly attempt: number; readonly n: number; readonly isSpokenOf: boolean } | null = null;
  /** What a wait that follows another of its attempt has to keep of that, once all events of its decision are heard. */
  private owed: {
    readonly n: number;
    readonly at: number;
    readonly leftMs: number;
    readonly isPaused: boolean;
  } | null = null;

  /** What is wrong with an event, or with the decision before it; `cause` is the deadline whose passing was decided, if one was. */
  heard(event: NodeEvent, cause: number | null, beginsDecision: boolean): string | null {
    const before = beginsDecision ? this.wrongSuccession() : null;
    const wrong = before ?? this.wrongWord(event) ?? this.wrongPassing(event, cause);
    this.follow(event);
    this.write(event);
    return wrong;
  }

  /** Data that is handed on begins the wait anew: what an operator said of it before holds. */
  private wrongSuccession(): string | null {
    const { owed } = this;
    if (!owed) return null;
    this.owed = null;
    const wait = this.waits.get(owed.n);
    const leftMs = (wait?.due ?? 0) - owed.at;
    if (leftMs < owed.leftMs) return `deadline ${owed.n} has ${leftMs} ms left, its wait had ${owed.leftMs} before`;
    return owed.isPaused && wait?.pausedAt === null ? `deadline ${owed.n} runs, its wait was paused` : null;
  }

  private follow(event: NodeEvent): void {
    if (isWord(event)) this.current = this.current && { ...this.current, isSpokenOf: true };
    if (event.type === 'InspectionStarted') this.current = null;
    if (event.type !== 'InspectionWaiting') return;
    const { attempt, deadline, at } = event.data;
    const before = this.current?.attempt === attempt && this.current.isSpokenOf ? this.waits.get(this.current.n) : null;
    if (deadline && before) {
      const leftMs = before.due - (before.pausedAt ?? at);
      this.owed = { n: deadline.n, at, leftMs, isPaused: before.pausedAt !== null };
    }
    this.current = deadline && { attempt, n: deadline.n, isSpokenOf: false };
  }

  /** What is wrong with a row that is read, seeing what operators said. */
  wrongRow({ n, due, status }: Row): string | null {
    const wait = this.waits.get(n);
    if (!wait) return null;
    if (wait.due !== due) return `deadline ${n} is read as due at ${due}, its last word says ${wait.due}`;
    return wait.pausedAt !== null && status !== 'held' ? `deadline ${n} is paused and read as ${status}` : null;
  }

  private wrongWord(event: NodeEvent): string | null {
    if (!isWord(event)) return null;
    const { type, data } = event;
    const { deadline, at } = data;
    const wait = this.waits.get(deadline.n);
    if (!wait) return `${type} is about deadline ${deadline.n}, which was never set`;
    const { due, pausedAt } = wait;
    if (type === 'DeadlineExtended') {
      if (data.before !== due) return `an extension from ${data.before} is about a deadline that is due at ${due}`;
      return deadline.due > due ? null : `an extension from ${due} leads to ${deadline.due}`;
    }
    if (type === 'DeadlinePaused') {
      if (pausedAt !== null) return `deadline ${deadline.n} is paused, and was so since ${pausedAt}`;
      return deadline.due === due ? null : `a pause moves a deadline from ${due} to ${deadline.due}`;
    }
    if (pausedAt === null) return `deadline ${deadline.n} is resumed and was not paused`;
    // A clock that was set back meanwhile takes nothing away.
    const leftMs = due - Math.min(pausedAt, at);
    return deadline.due - at === leftMs
      ? null
      : `deadline ${deadline.n} had ${leftMs} ms left when it was paused, and has ${deadline.due - at} when it is resumed`;
  }

  private wrongPassing(event: NodeEvent, cause: number | null): string | null {
    const n = passed(event) ?? cause;
    const wait = n === null ? undefined : this.waits.get(n);
    if (!wait) return null;
    if (wait.pausedAt !== null) return `${event.type}: deadline ${n} passed while it was paused`;
    const { at } = event.data;
    return at < wait.due ? `${event.type}: deadline ${n} passed ${wait.due - at} ms before its last word` : null;
  }

  private write({ type, data }: NodeEvent): void {
    if (!('deadline' in data) || data.deadline === null) return;
    const { n, due } = data.deadline;
    const before = this.waits.get(n)?.pausedAt ?? null;
    const pausedAt = type === 'DeadlinePaused' ? data.at : type === 'DeadlineResumed' ? null : before;
    this.waits.set(n, { due, pausedAt });
  }
}

const isWord = (event: NodeEvent): event is DeadlineEvent =>
  event.type === 'DeadlineExtended' || event.type === 'DeadlinePaused' || event.type === 'DeadlineResumed';

const passed = ({ type, data }: NodeEvent): number | null =>
  type === 'InspectionTimedOut' || type === 'WorkTimedOut' ? data.deadline.n : null;
