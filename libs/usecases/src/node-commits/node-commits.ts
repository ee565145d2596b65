import { plainKinds, plainResources } from '@lib/contracts';
import { Refusal } from '@lib/domain';
import type { NodeEvent, NodeStream } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import type {
  Append,
  AppendConflict,
  AppendResult,
  Blob,
  Change,
  Clock,
  Emptiness,
  EventLog,
  EventMeta,
  Fence,
  Guard,
  RecordedEvent,
  StreamWrite,
} from '@lib/ports';
import { Mailboxes } from '../mailbox';
import { newEvent } from '../new-event';
import { NodeStreams, nodeStreamId, uuidOfStream } from '../node-streams';
import type { LoadedNode } from '../node-streams';
import { projectNode } from '../project-node';
import { allocationAfter } from './allocation-after';
import type { ProjectionOptions } from '../project-node';
import { NodeSignals } from './signals';

/** What a decision wants appended; an empty one appends nothing. */
export interface Plan {
  readonly events: readonly NodeEvent[];
  readonly writes?: readonly StreamWrite[];
  readonly changes?: readonly Change[];
  readonly guards?: readonly Guard[];
  readonly fences?: readonly Fence[];
  readonly empties?: readonly Emptiness[];
  readonly blobs?: readonly Blob[];
}

export interface Committed {
  readonly before: NodeStream;
  readonly after: NodeStream;
  readonly events: readonly NodeEvent[];
  readonly recorded: readonly RecordedEvent[];
}

/** The log has this command already: its outcome is what these events say. */
export class AlreadyRecorded extends Error {
  constructor(readonly events: readonly RecordedEvent[]) {
    super('the command is in the log');
    this.name = 'AlreadyRecorded';
  }
}

/** What was to be appended is fenced by a claim that does not stand any more: old news. */
export class OldNews extends Error {
  constructor() {
    super('the claim of the effect does not stand');
    this.name = 'OldNews';
  }
}

/** A decision that met the newest state this many times and lost each time gives up; the client tries again. */
const CONFLICTS_MAX = 20;

export interface NodeCommitsDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly host: string;
  readonly projection: ProjectionOptions;
  readonly mailboxDepthMax: number;
  readonly cachedNodesMax: number;
  /** Told of every decision that was appended: for the service's log. */
  readonly onCommitted?: (uuid: string, committed: Committed, meta: EventMeta) => void;
}

/** What commands need of it. */
export type Commits = Pick<NodeCommits, 'commit' | 'streams' | 'signals'>;

/** Mailbox per node -> load -> decide -> append: the one way in which a node's stream grows. */
export class NodeCommits {
  readonly streams: NodeStreams;
  readonly signals: NodeSignals;
  private readonly mailboxes: Mailboxes;

  constructor(private readonly deps: NodeCommitsDeps) {
    this.streams = new NodeStreams(deps.log, deps.cachedNodesMax, deps.log.soleWriter);
    this.signals = new NodeSignals(deps.clock, async (uuid) => (await this.streams.load(uuid, false)).stream);
    this.mailboxes = new Mailboxes(deps.mailboxDepthMax);
  }

  /**
   * Runs `plan` against the newest state and appends what it wants, again on a lost race. Rejects with a Refusal, with
   * AlreadyRecorded, with OldNews, or with LogUnavailable.
   */
  commit(uuid: string, meta: EventMeta, plan: (loaded: LoadedNode) => Plan | Promise<Plan>): Promise<Committed> {
    return this.mailboxes.run(uuid, async () => {
      for (let lost = 0; lost < CONFLICTS_MAX; lost += 1) {
        const loaded = await this.streams.load(uuid, lost === 0);
        const wanted = await this.decided(uuid, loaded, plan);
        const committed = wanted && (await this.append(uuid, meta, loaded, wanted));
        if (committed) return committed;
      }
      throw new Refusal('UNAVAILABLE', `Node ${uuid} changes too fast; nothing happened, please try again.`);
    });
  }

  /**
   * Null: the answer was no, or nothing, but the state that it came from is not the newest. An append proves by itself what
   * it saw; these would not, and another conductor may have moved the node on.
   */
  private async decided(
    uuid: string,
    loaded: LoadedNode,
    plan: (loaded: LoadedNode) => Plan | Promise<Plan>,
  ): Promise<Plan | null> {
    const isNewest = async () => (await this.streams.load(uuid, false)).version === loaded.version;
    try {
      const wanted = await plan(loaded);
      return appendsSomething(wanted) || (await isNewest()) ? wanted : null;
    } catch (error) {
      // Not only refusals: the key of a node that was removed meanwhile is gone, and its secrets do not open.
      if (!(error instanceof LogUnavailable) && !(await isNewest())) return null;
      throw error;
    }
  }

  /** Null: someone else appended meanwhile. */
  private async append(uuid: string, meta: EventMeta, loaded: LoadedNode, plan: Plan): Promise<Committed | null> {
    const { stream, version } = loaded;
    const { events } = plan;
    if (!appendsSomething(plan)) {
      return { before: stream, after: stream, events, recorded: [] };
    }
    const source = { uuid, host: this.deps.host, actor: meta.actor };
    const projected = projectNode(stream, version, events, source, this.deps.projection);
    const following = await allocationAfter(stream.node, projected.stream.node, events, this.deps.log);
    const result = await this.appended(uuid, plan, {
      writes: [...nodeWrite(uuid, version, events), ...(plan.writes ?? []), ...following.map(({ write }) => write)],
      guards: plan.guards,
      fences: plan.fences,
      empties: plan.empties,
      meta,
      changes: [
        ...(events.length > 0 ? projected.changes : []),
        ...(plan.changes ?? []),
        ...following.flatMap(({ changes }) => changes),
      ],
      blobs: plan.blobs,
    });
    if (!result.ok) return this.lost(uuid, result.conflict);
    this.streams.remember(uuid, { version: version + events.length, stream: projected.stream });
    if (events.length > 0) this.signals.emit(uuid, projected.stream);
    const committed = { before: stream, after: projected.stream, events, recorded: result.events };
    this.deps.onCommitted?.(uuid, committed, meta);
    return committed;
  }

  /**
   * From here until it is remembered nobody takes what is kept for the newest: who is woken by the commit looks before this
   * append has resolved. The same holds for other nodes that are written along, until their own next append.
   */
  private appended(uuid: string, { writes = [] }: Plan, append: Append): Promise<AppendResult> {
    const others = writes.map(({ stream }) => stream).filter((stream) => stream.startsWith(nodeStreamId('')));
    for (const one of [uuid, ...others.map(uuidOfStream)]) this.streams.doubt(one);
    return this.deps.log.append(append);
  }

  private async lost(uuid: string, conflict: AppendConflict): Promise<null> {
    switch (conflict.kind) {
      case 'version':
      case 'guard':
        return null;
      case 'command':
        throw new AlreadyRecorded(await this.deps.log.readCommand(conflict.commandId));
      case 'fence':
        throw new OldNews();
      default:
        throw taken(conflict, uuid);
    }
  }
}

const appendsSomething = ({ events, writes = [] }: Plan): boolean => events.length > 0 || writes.length > 0;

const nodeWrite = (uuid: string, version: number, events: readonly NodeEvent[]): readonly StreamWrite[] => {
  if (events.length === 0) return [];
  const removes = events.at(-1)?.type === 'NodeRemoved';
  return [{ stream: nodeStreamId(uuid), expected: version, events: events.map(newEvent), removes }];
};

/** A unique key that another resource holds (contract: errors-and-negotiation.md §6: 409 naming the value). */
function taken({ index, value, owner }: Extract<AppendConflict, { kind: 'key' }>, uuid: string): Refusal {
  switch (index) {
    case 'node.name':
      return new Refusal('DUPLICATE_NAME', `A node with name ${value} already exists.`);
    case 'node.instance_uuid':
      return new Refusal(
        'DUPLICATE_INSTANCE',
        `Instance ${value} is already associated with node ${uuidOfStream(owner)}, it cannot be associated with node ${uuid}.`,
      );
    case 'port.address':
      return new Refusal('DUPLICATE_MAC', `A port with MAC address ${value} already exists.`);
    default:
      return takenByPlain(index, value);
  }
}

/** Indexes of plain resources are called `<kind>.<field>`, or `<kind>.<field>+<field>` with the values as a JSON list. */
function takenByPlain(index: string, value: string): Refusal {
  const kind = plainKinds.find((one) => plainResources[one].unique.some((key) => key.index === index));
  const fields = index.slice(index.indexOf('.') + 1).split('+');
  const values = fields.length === 1 ? [value] : (JSON.parse(value) as unknown[]);
  const text = fields.map((field, at) => `${field} ${String(values[at])}`).join(' and ');
  const code = fields[0] === 'name' ? 'DUPLICATE_NAME' : 'DUPLICATE_KEY';
  return new Refusal(code, `A ${kind ? plainResources[kind].noun : 'resource'} with ${text} already exists.`);
}
