import { randomUUID } from 'node:crypto';
import { documentSchemas } from '@lib/contracts';
import { decide, emptyStream, evolve, inspectFacts, newPortDocument } from '@lib/domain';
import type { NodeCommand, NodeEvent, NodeFields, NodeStream } from '@lib/domain';
import type { Append } from '@lib/ports';
import { openSqliteLog } from '@lib/adapters/event-log-typeorm';
import { systemClock } from '@lib/adapters/system-clock';
import { newEvent, nodeStreamId, projectNode, resourceWrite } from '@lib/usecases';
import type { ResourceWrite } from '@lib/usecases';
import { policy } from '../world/options';

/** A node that is to be in the log: by what the rules decide for the commands that would bring it there. */
export interface Wish {
  readonly uuid: string;
  readonly name: string;
  readonly state: 'enroll' | 'manageable' | 'inspect wait';
  /** Seconds; the node's own limit. */
  readonly waitTimeout?: number;
  /** When its inspection began, epoch ms; default now. */
  readonly inspectingSince?: number;
  /** Of its one port; without it the node has none. */
  readonly mac?: string;
}

const HOST = 'bench';
const APPENDS_AT_ONCE = 2_000;
const projection = { errorCharsMax: 4096, historyEntriesMax: 300 };

/** The interface whose ramdisks post to our own api: no inspector takes part. */
const agent = inspectFacts('agent');

function commandsFor({ uuid, state }: Wish, fields: NodeFields): NodeCommand[] {
  const enroll: NodeCommand = { type: 'Enroll', uuid, fields, state: 'enroll', keyId: null };
  const verified: NodeCommand = {
    type: 'EndEffect',
    effect: 1,
    outcome: { result: 'done', value: { powerState: 'power off' } },
    inspect: agent,
  };
  const manage: NodeCommand[] = [{ type: 'Provision', target: 'manage', inspect: agent, problem: null }, verified];
  const started: NodeCommand = {
    type: 'EndEffect',
    effect: 2,
    outcome: { result: 'done', value: { returned: 'INSPECTWAIT', interfaceName: 'agent', manageBoot: false } },
    inspect: agent,
  };
  const inspect: NodeCommand[] = [{ type: 'Provision', target: 'inspect', inspect: agent, problem: null }, started];
  if (state === 'enroll') return [enroll];
  return state === 'manageable' ? [enroll, ...manage] : [enroll, ...manage, ...inspect];
}

/** One append that brings the node where it is wished. `fields` are those of a node that a conductor created. */
export function appendFor(wish: Wish, fields: NodeFields, now: number): Append {
  const own: NodeFields = {
    ...fields,
    name: wish.name,
    ...(wish.waitTimeout === undefined
      ? {}
      : { driver_info: { ...fields.driver_info, inspect_wait_timeout: wish.waitTimeout } }),
  };
  let stream: NodeStream = emptyStream;
  const events: NodeEvent[] = [];
  const context = { now: wish.inspectingSince ?? now, host: HOST, policy };
  for (const command of commandsFor(wish, own)) {
    for (const event of decide(command, stream, context)) {
      stream = evolve(stream, event);
      events.push(event);
    }
  }
  if (stream.node?.provisionState !== wish.state) throw new Error(`the rules lead to ${stream.node?.provisionState}`);
  const source = { uuid: wish.uuid, host: HOST, actor: null };
  const port = wish.mac === undefined ? null : portWrite(wish.uuid, wish.mac, now);
  return {
    writes: [
      { stream: nodeStreamId(wish.uuid), expected: 'absent', events: events.map(newEvent) },
      ...(port ? [port.write] : []),
    ],
    changes: [...projectNode(emptyStream, 0, events, source, projection).changes, ...(port?.changes ?? [])],
    meta: { commandId: randomUUID(), requestId: null, actor: null, source: HOST, at: now, causation: null },
  };
}

function portWrite(node: string, address: string, now: number): ResourceWrite {
  const uuid = randomUUID();
  const document = { ...newPortDocument({ address }, node, uuid) };
  return resourceWrite('port', uuid, { version: 0, resource: null }, { type: 'Create', document }, now);
}

/** The append of an accepted `inspect` alone, on a manageable node. */
export const inspectAppendFor = (uuid: string, fields: NodeFields, now: number): Append =>
  nextAppend({ type: 'Provision', target: 'inspect', inspect: agent, problem: null }, uuid, fields, now);

/** The append of an accepted PATCH of `extra` alone. */
export function patchAppendFor(uuid: string, fields: NodeFields, extra: NodeFields['extra'], now: number): Append {
  const patched = { ...fields, name: 'sample', extra };
  const rest = { minor: 115, namedInterfaces: [], onlyRemovesInstance: false };
  return nextAppend({ type: 'Update', fields: patched, ...rest }, uuid, fields, now);
}

/** What a command comes to on a manageable node. */
function nextAppend(command: NodeCommand, uuid: string, fields: NodeFields, now: number): Append {
  const before = appendFor({ uuid, name: 'sample', state: 'manageable' }, fields, now);
  const count = before.writes[0]?.events.length ?? 0;
  const context = { now, host: HOST, policy };
  let stream: NodeStream = emptyStream;
  for (const command of commandsFor({ uuid, name: 'sample', state: 'manageable' }, fields)) {
    for (const event of decide(command, stream, context)) stream = evolve(stream, event);
  }
  const events = decide(command, stream, context);
  return {
    writes: [{ stream: nodeStreamId(uuid), expected: count, events: events.map(newEvent) }],
    changes: projectNode(stream, count, events, { uuid, host: HOST, actor: null }, projection).changes,
    meta: before.meta,
  };
}

/** Appends the wished nodes to the log under `home`, whose conductor is away. Answers appends/s. */
export async function fill(home: string, fields: NodeFields, wishes: readonly Wish[]): Promise<number> {
  const store = await openSqliteLog({ home, schemas: documentSchemas, clock: systemClock, lockWaitMs: 10_000 });
  const startedAt = performance.now();
  try {
    for (let from = 0; from < wishes.length; from += APPENDS_AT_ONCE) {
      const some = wishes.slice(from, from + APPENDS_AT_ONCE);
      const results = await Promise.all(
        some.map((wish) => store.log.append(appendFor(wish, fields, systemClock.now()))),
      );
      const lost = results.find(({ ok }) => !ok);
      if (lost !== undefined) throw new Error(`a node was not appended: ${JSON.stringify(lost)}`);
    }
  } finally {
    await store.close();
  }
  return wishes.length / ((performance.now() - startedAt) / 1000);
}
