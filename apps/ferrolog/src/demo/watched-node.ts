import { setTimeout as pause } from 'node:timers/promises';
import { ApiFault, type BareMetal, request, type ShownNode } from '../bare-metal';
import { driveNode, type Settled, settle } from '../driving';
import { callbackDifferences } from '../endings';
import { type EventWords, inWords, type ShownEvent, type Tasks } from '../node-events';
import type { PlannedNode } from './plan';

/** What the inspector was asked about a node, and answered (inspector-simulator/README.md). */
export interface InspectorCall {
  readonly via: string;
  readonly ask: string;
  /** Null: no answer. */
  readonly status: number | null;
  readonly detail: string | null;
}

const POLL_MS = 300;
const GRACE_MS = 30_000;

/** One node while the demo runs: what is known of it now. */
export class WatchedNode {
  uuid: string | null = null;
  state = 'not enrolled';
  /** When it entered that state. */
  sinceMs: number;
  /** Newest event in words. */
  what: EventWords | null = null;
  /** Its deadline, epoch ms. */
  dueAt: number | null = null;
  abortAnswer: number | null = null;
  callbacks: readonly InspectorCall[] = [];
  settled: Settled | null = null;
  /** Why it could not be brought to an end. */
  failure: string | null = null;

  private version = 0;
  private readonly tasks: Tasks = new Map();

  constructor(
    readonly planned: PlannedNode,
    private readonly now: () => number,
    private readonly onChange: (node: WatchedNode, from: string) => void,
  ) {
    this.sinceMs = now();
  }

  /** Sentences about what is not as scripted; null: it has not come to its end yet. */
  get differences(): readonly string[] | null {
    if (this.failure !== null) return [this.failure];
    if (this.settled === null) return null;
    const statuses = this.callbacks.map(({ status }) => status);
    return [...this.settled.differences, ...callbackDifferences(this.planned.expected, statuses)];
  }

  /** Never rejects but for the signal: what goes wrong is this node's failure. */
  async play(api: BareMetal, inspectorUrl: string, signal: AbortSignal): Promise<void> {
    try {
      await this.drive(api, signal);
      const uuid = this.uuid ?? '';
      await this.awaitCallbacks(inspectorUrl, uuid, signal);
      this.settled = await settle(api, uuid, this.planned.expected, GRACE_MS, signal);
      await this.look(api, await api.node(uuid));
    } catch (error) {
      signal.throwIfAborted();
      this.failure =
        error instanceof ApiFault ? `refused: ${error.message}` : String((error as Error).message ?? error);
    }
    this.onChange(this, this.state);
  }

  private async drive(api: BareMetal, signal: AbortSignal): Promise<void> {
    const { body, ports, abortMs, timeoutMs, script } = this.planned;
    const patienceMs = Math.max(timeoutMs, (abortMs ?? 0) + (script.afterMs ?? 0)) + GRACE_MS;
    await driveNode(
      api,
      { body, ports, abortMs, patienceMs },
      {
        signal,
        pollMs: POLL_MS,
        onCreated: (node) => void (this.uuid = node.uuid),
        onSeen: (node) => this.look(api, node),
        onAbort: (status) => void (this.abortAnswer = status),
      },
    );
  }

  private async look(api: BareMetal, { uuid, provision_state: state }: ShownNode): Promise<void> {
    const events = await api.events(uuid, this.version);
    this.version = events.at(-1)?.version ?? this.version;
    this.what = lastTold(events, inWords(events, this.tasks)) ?? this.what;
    for (const { type, data } of events) if (type === 'InspectionWaiting') this.dueAt = dueOf(data);
    const from = this.state;
    if (state === from) return;
    this.state = state;
    this.sinceMs = this.now();
    this.onChange(this, from);
  }

  /** The ramdisk's posts may come after the ending: late ones are what is to be seen. */
  private async awaitCallbacks(inspectorUrl: string, uuid: string, signal: AbortSignal): Promise<void> {
    const since = this.now();
    for (;;) {
      this.callbacks = (await inspectorCalls(inspectorUrl, uuid)).filter((call) => call.via === 'ramdisk');
      if (this.callbacks.length >= this.planned.expected.callbacks.length || this.now() - since > GRACE_MS) return;
      await pause(POLL_MS, undefined, { signal });
    }
  }
}

async function inspectorCalls(inspectorUrl: string, uuid: string): Promise<readonly InspectorCall[]> {
  const { status, body } = await request('GET', `${inspectorUrl}/ferrolog/v1/simulator/log?node=${uuid}`, {});
  if (status !== 200) throw new Error(`the inspector does not tell what it was asked (${status})`);
  return (body as { entries: readonly InspectorCall[] }).entries;
}

/** An ending says more than the power-off behind it. */
function lastTold(events: readonly ShownEvent[], words: readonly EventWords[]): EventWords | undefined {
  const ending = events.findLastIndex(({ type }) => /^Inspection(Finished|Failed|TimedOut|Aborted)$/.test(type));
  return ending >= 0 ? words[ending] : words.at(-1);
}

function dueOf({ deadline }: ShownEvent['data']): number | null {
  const due: unknown = typeof deadline === 'object' && deadline !== null ? Reflect.get(deadline, 'due') : null;
  return typeof due === 'number' ? due : null;
}
