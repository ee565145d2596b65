import { isRequestStream, requestStreamId } from '@lib/contracts';
import type { Command, CommandEnvelope, KeyedRequest } from '@lib/contracts';
import { Refusal } from '@lib/domain';
import type { EventReader, StreamId, StreamWrite } from '@lib/ports';
import { newEvent } from '../new-event';
import type { Commits, Plan } from '../node-commits';
import { nodeStreamId } from '../node-streams';
import type { LoadedNode } from '../node-streams';

/** The stream of what a command is about. */
export function streamOf(command: Command): StreamId {
  switch (command.type) {
    case 'CreateResource':
    case 'PatchResource':
    case 'RemoveResource':
      return `${command.kind}/${command.uuid}`;
    case 'ChangeTraits':
      return `${command.of}/${command.uuid}`;
    default:
      return nodeStreamId(command.uuid);
  }
}

type Conditions = Pick<CommandEnvelope, 'command' | 'expected' | 'request'>;

/**
 * Commits that a command's conditions go along with: the versions that its client expects are looked at where the decision
 * is made and stand in its append, and so does the word that a request with a key was accepted. Refusals of the rules go first.
 */
export function commitsUnder(conditions: Conditions, commits: Commits, reader: EventReader): Commits {
  const { command, expected, request } = conditions;
  if (expected === undefined && request === undefined) return commits;
  const target = streamOf(command);
  const { streams, signals } = commits;
  return {
    streams,
    signals,
    commit: async (uuid, meta, plan) => {
      const committed = await commits.commit(uuid, meta, async (loaded) => {
        const decided = await plan(loaded);
        const seen = await seenVersion(target, nodeStreamId(uuid), loaded, decided, reader);
        if (expected !== undefined && !expected.includes(seen.version)) throw moved(target, seen.version);
        const sure = expected === undefined ? decided : withGuard(decided, target, seen);
        return request === undefined ? sure : withRequest(sure, request, target, nodeStreamId(uuid), loaded);
      });
      return { ...committed, recorded: committed.recorded.filter(({ stream }) => !isRequestStream(stream)) };
    },
  };
}

interface Seen {
  readonly version: number;
  /** The append proves it by itself. */
  readonly proven: boolean;
}

async function seenVersion(
  target: StreamId,
  node: StreamId,
  loaded: LoadedNode,
  { events, writes = [] }: Plan,
  reader: EventReader,
): Promise<Seen> {
  if (target === node) return { version: loaded.version, proven: events.length > 0 };
  const expected = writes.find(({ stream }) => stream === target)?.expected;
  if (typeof expected === 'number') return { version: expected, proven: true };
  const found = await reader.versions([target]);
  return { version: found.get(target)?.version ?? 0, proven: false };
}

const moved = (target: StreamId, version: number): Refusal =>
  new Refusal(
    'PRECONDITION_FAILED',
    `The precondition If-Match does not hold: ${target.replace('/', ' ')} is at version ${version} now. Nothing happened.`,
  );

function withGuard(plan: Plan, stream: StreamId, { version, proven }: Seen): Plan {
  return proven ? plan : { ...plan, guards: [...(plan.guards ?? []), { stream, version }] };
}

/** A decision that changes nothing is written down as well: it must not become another one when it is asked for again. */
function withRequest(plan: Plan, request: KeyedRequest, target: StreamId, node: StreamId, loaded: LoadedNode): Plan {
  const accepted: StreamWrite = {
    stream: requestStreamId(request.id),
    // The command's id, drawn from the key, is what makes it one.
    expected: 'any',
    events: [newEvent({ type: 'RequestAccepted', data: { target } })],
  };
  const changesNothing = plan.events.length === 0 && (plan.writes ?? []).length === 0;
  const guards = [...(plan.guards ?? []), ...(changesNothing ? [{ stream: node, version: loaded.version }] : [])];
  return { ...plan, writes: [...(plan.writes ?? []), accepted], guards };
}
