import type { MemoryStore } from '@lib/adapters/event-log-memory';
import { emptyStream, isWork, waitTimeoutOf } from '@lib/domain';
import type { NodeEvent, NodeStream, ProvisionState } from '@lib/domain';
import { brokenLaws, brokenStep } from '@lib/domain/node-laws';
import type { ClaimedEffect, RecordedEvent } from '@lib/ports';
import { foldRecorded, nodeEventOf, nodeStreamId, uuidOfStream } from '@lib/usecases';
import type { LoadedNode } from '@lib/usecases';
import { wrongAnswer } from './answers';
import { NodeBook } from './node-book';
import { deadlineRows, wrongRows } from './rows';
import type { Ended } from './sender';
import type { Story } from './story';

export interface Complaint {
  readonly node: string | null;
  readonly text: string;
}

const ENDING = /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/;
const waysOf = ({ type, data }: NodeEvent): readonly string[] => [
  ...('reason' in data && data.reason ? [`${type} with a reason`] : []),
  ...('promotes' in data ? [`${type} with refused data`] : []),
  ...('reprocesses' in data ? [`${type} with data once more`] : []),
  ...(type === 'InspectionStarted' && data.retry ? [`${type} as a retry`] : []),
];
/** States that end without a request. */
const isPassing = (state: ProvisionState): boolean => isWork(state) || waitTimeoutOf(state) !== undefined;
const COMPLAINTS_MAX = 20;

/** Watches every append, every claim and every answer, and says which rule of the design they break. */
export class Referee {
  readonly complaints: Complaint[] = [];
  /** Of events; those that came about in a rarer way are told a second time. */
  readonly types = new Set<string>();
  private readonly streams = new Map<string, LoadedNode>();
  private readonly claims = new Map<string, number>();
  /** Endings of each attempt that started, by stream and number. */
  private readonly endings = new Map<string, string[]>();
  private readonly touched = new Set<string>();
  private readonly books = new Map<string, NodeBook>();
  /** The command of the last event, by stream: what it decided first is what its cause allows. */
  private readonly decidedBy = new Map<string, string>();

  constructor(
    private readonly store: MemoryStore,
    private readonly story: Story,
  ) {}

  complain(node: string | null, text: string): void {
    this.story.tell(node, `!!! ${text}`);
    if (this.complaints.length < COMPLAINTS_MAX) this.complaints.push({ node, text });
  }

  stream(uuid: string): NodeStream {
    return this.streams.get(nodeStreamId(uuid))?.stream ?? emptyStream;
  }

  /** The events of one append. */
  heard(events: readonly RecordedEvent[]): void {
    for (const recorded of events) {
      this.types.add(recorded.type);
      if (recorded.stream.startsWith('node/')) this.judge(recorded);
      else this.story.tell(null, `${recorded.type} ${recorded.stream}`);
    }
    for (const stream of new Set(events.map((event) => event.stream))) {
      const node = this.streams.get(stream)?.stream.node;
      if (node) for (const law of brokenLaws(node)) this.complain(node.uuid, law);
    }
  }

  private judge(recorded: RecordedEvent): void {
    const { stream, version, type } = recorded;
    const uuid = uuidOfStream(stream);
    const meta = JSON.parse(recorded.meta) as { causation: string | null; source: string; commandId: string };
    const isFirst = this.decidedBy.get(stream) !== meta.commandId;
    this.decidedBy.set(stream, meta.commandId);
    this.story.tell(uuid, `${type} ${recorded.data} by ${meta.source}, ${meta.causation ?? 'a command'}`);
    const event = nodeEventOf(recorded);
    const before = this.streams.get(stream) ?? { version: 0, stream: emptyStream };
    if (version !== before.version + 1) this.complain(uuid, `version ${version} follows ${before.version}`);
    const after = foldRecorded(before, [recorded]);
    this.streams.set(stream, after);
    this.touched.add(uuid);
    if (!event) return;
    for (const way of waysOf(event)) this.types.add(way);
    for (const step of brokenStep(before.stream, event, after.stream)) this.complain(uuid, step);
    if (isFirst) this.judgeCause(uuid, event, meta.causation ?? '', before.stream);
    this.judgeEnding(uuid, event);
    for (const wrong of this.bookOf(uuid).heard(event, meta.causation ?? '', isFirst)) this.complain(uuid, wrong);
  }

  private bookOf(uuid: string): NodeBook {
    const book = this.books.get(uuid) ?? new NodeBook();
    this.books.set(uuid, book);
    return book;
  }

  /** An outcome counts under the newest claim only; a deadline acts when it is due by the clock of who decided. */
  private judgeCause(uuid: string, event: NodeEvent, causation: string, before: NodeStream): void {
    const [, effect, claim] = /^effect (\d+) claim (\d+)$/.exec(causation) ?? [];
    const newest = this.claims.get(`${nodeStreamId(uuid)}#${effect}`);
    if (effect !== undefined && Number(claim) !== newest) {
      this.complain(uuid, `${event.type} comes from claim ${claim} of effect ${effect}, the newest is ${newest}`);
    }
    const [, n] = /^deadline (\d+)$/.exec(causation) ?? [];
    const deadline = before.node?.deadlines.find((one) => one.n === Number(n));
    if (n !== undefined && (!deadline || event.data.at < deadline.due)) {
      this.complain(uuid, `${event.type} at ${event.data.at} comes from deadline ${JSON.stringify(deadline)}`);
    }
  }

  private judgeEnding(uuid: string, event: NodeEvent): void {
    if (event.type === 'InspectionStarted') this.endings.set(`${uuid}#${event.data.attempt}`, []);
    if (!ENDING.test(event.type) || !('attempt' in event.data)) return;
    const endings = this.endings.get(`${uuid}#${event.data.attempt}`);
    if (!endings) return this.complain(uuid, `${event.type} ends attempt ${event.data.attempt}, which never started`);
    endings.push(event.type);
    if (endings.length > 1) this.complain(uuid, `attempt ${event.data.attempt} ended as ${endings.join(' and ')}`);
  }

  /**
   * To be called when a claim is made, its answer when the effects have come: an append may be committed in between, and
   * what was the first open effect is judged as it was.
   */
  claiming(): (effects: readonly ClaimedEffect[], owner: string) => void {
    const firsts = new Map(
      [...this.streams].map(([id, { stream }]) => [id, Math.min(...(stream.node?.effects ?? []).map(({ n }) => n))]),
    );
    return (effects, owner) => this.claimed(effects, owner, firsts);
  }

  private claimed(effects: readonly ClaimedEffect[], owner: string, firsts: ReadonlyMap<string, number>): void {
    for (const { stream, n, claim } of effects) {
      const uuid = uuidOfStream(stream);
      this.story.tell(uuid, `${owner} claims effect ${n}, claim ${claim}`);
      const before = this.claims.get(`${stream}#${n}`) ?? 0;
      if (claim <= before) this.complain(uuid, `claim ${claim} of effect ${n} follows ${before}`);
      this.claims.set(`${stream}#${n}`, claim);
      const first = firsts.get(stream);
      if (n !== first) this.complain(uuid, `effect ${n} is claimed while ${first} is the first open one`);
    }
  }

  answered(one: Ended): void {
    const { command, answer, commandId } = one;
    const node = 'nodeUuid' in command ? command.nodeUuid : command.uuid;
    const text = answer === null ? 'no answer' : answer.ok ? 'accepted' : `${answer.code} ${answer.message}`;
    this.story.tell(node, `${command.type} ${JSON.stringify(command)} is answered: ${text}`);
    const wrong = wrongAnswer(one, this.store.byCommand.get(commandId) ?? []);
    if (wrong) this.complain(node, `${command.type} ${commandId}: ${wrong}`);
  }

  /** The rows of the nodes that changed since the last step are what their fold says. */
  step(): void {
    for (const uuid of this.touched) {
      for (const row of wrongRows(uuid, this.stream(uuid).node, this.store)) this.complain(uuid, row);
      for (const row of deadlineRows(uuid, this.store)) {
        const wrong = this.bookOf(uuid).deadlines.wrongRow(row);
        if (wrong) this.complain(uuid, wrong);
      }
    }
    this.touched.clear();
  }

  /** What still goes on with a node; null when it is at rest. */
  unrest(uuid: string): string | null {
    const { node } = this.stream(uuid);
    if (!node) return null;
    const { provisionState, reservation, intent, deadlines, effects } = node;
    const atRest = !isPassing(provisionState) && !reservation && !intent;
    if (atRest && deadlines.length === 0 && effects.length === 0) return null;
    return `"${provisionState}" ${JSON.stringify({ reservation, intent, deadlines, effects })}`;
  }

  /** When faults have stopped and time has passed: every attempt has its ending, and nothing is stuck. */
  final(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      const unrest = this.unrest(uuid);
      if (unrest) this.complain(uuid, `is stuck in ${unrest}`);
    }
    for (const [attempt, endings] of this.endings) {
      if (endings.length === 1) continue;
      this.complain(attempt.slice(0, attempt.indexOf('#')), `attempt ${attempt} has ${endings.length} endings`);
    }
  }
}
