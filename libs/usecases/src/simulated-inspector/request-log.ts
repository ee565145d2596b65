import type { Instant } from '@lib/ports';

/** One call that the simulator was asked, with its answer. */
export interface RequestLogEntry {
  /** Counts from 1 and never repeats, so that a reader sees what was dropped. */
  readonly n: number;
  readonly at: Instant;
  /** Who asked: the REST API, the message bus, or a simulated ramdisk of ours. */
  readonly via: 'rest' | 'bus' | 'ramdisk';
  readonly ask: string;
  readonly node: string | null;
  /** HTTP status of the answer; null when the script wanted no answer. */
  readonly status: number | null;
  /** Text of a refusal, or what a script did. */
  readonly detail: string | null;
}

const questions: readonly string[] = ['status', 'data', 'unprocessed', 'list', 'rule'];

/**
 * The last calls, in memory, bounded: tests ask it how often an abort arrived. Mere questions have a place of their own,
 * or a conductor that polls a whole fleet would push the rest out.
 */
export class RequestLog {
  private readonly kept: { questions: RequestLogEntry[]; changes: RequestLogEntry[] } = { questions: [], changes: [] };
  private count = 0;

  constructor(private readonly entriesMax: number) {}

  add(entry: Omit<RequestLogEntry, 'n'>): void {
    const kind = questions.includes(entry.ask) ? 'questions' : 'changes';
    this.count += 1;
    this.kept[kind].push({ n: this.count, ...entry });
    // Dropped by the half, so that a full log does not shift its whole array at every call.
    if (this.kept[kind].length > 2 * this.entriesMax) this.kept[kind] = this.kept[kind].slice(-this.entriesMax);
  }

  /** Oldest first; one node's, or all. */
  read(node?: string): readonly RequestLogEntry[] {
    const kept = [this.kept.questions, this.kept.changes].flatMap((entries) => entries.slice(-this.entriesMax));
    return kept.filter((entry) => node === undefined || entry.node === node).sort((a, b) => a.n - b.n);
  }
}
