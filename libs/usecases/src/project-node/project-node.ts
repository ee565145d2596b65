import { columnsOf, nodeFields, storedText } from '@lib/contracts';
import { addressKey, evolve, isHeld, noParts } from '@lib/domain';
import { sameJson } from '@lib/domain/json';
import type { Deadline, Effect, Node, NodeEvent, NodeStream } from '@lib/domain';
import type { Change } from '@lib/ports';
import { nodeStreamId } from '../node-streams';
import { nodeDocument } from './document';
import { historyEntry } from './history';
import { partsDocument } from './parts';

/** What shapes the derived rows beside the events themselves. */
export interface ProjectionOptions {
  /** `[DEFAULT] log_in_db_max_size`. */
  readonly errorCharsMax: number;
  /** `[conductor] node_history_max_entries`; 0 = none kept. */
  readonly historyEntriesMax: number;
}

export interface ProjectionSource {
  readonly uuid: string;
  readonly host: string;
  readonly actor: string | null;
}

interface Projected {
  readonly stream: NodeStream;
  readonly changes: readonly Change[];
}

/**
 * Everything that derives from a run of events on one node: document, unique keys, deadlines, effects, history,
 * inventory. Deadlines and effects are the difference of the states, so no event can forget one.
 * `version` is the stream's version before the events.
 */
export function projectNode(
  before: NodeStream,
  version: number,
  events: readonly NodeEvent[],
  source: ProjectionSource,
  options: ProjectionOptions,
): Projected {
  const id = nodeStreamId(source.uuid);
  let stream = before;
  const history: Change[] = [];
  events.forEach((event, index) => {
    if (stream.node) history.push(...historyOf(stream.node, event, id, version + index + 1, source));
    stream = evolve(stream, event);
  });
  const after = stream.node;
  const changes = [
    ...keys(id, before.node, after),
    ...deadlines(id, before.node, after),
    ...effects(id, before.node, after),
    ...bmcAddresses(source.uuid, before.node, after, version + events.length),
    ...(after ? documents(after, version + events.length, before.node, options) : removed(source.uuid)),
    ...(after && options.historyEntriesMax > 0 && history.length > 0
      ? [...history, trimmed(source.uuid, options.historyEntriesMax)]
      : []),
  ];
  return { stream, changes };
}

function historyOf(node: Node, event: NodeEvent, stream: string, version: number, source: ProjectionSource): Change[] {
  const entry = historyEntry(node, event, { stream, version, host: source.host, actor: source.actor });
  if (!entry) return [];
  const columns = columnsOf('node_history', { ...entry });
  return [{ change: 'put', kind: 'node_history', id: entry.uuid, version, json: JSON.stringify(entry), columns }];
}

const trimmed = (uuid: string, keep: number): Change => ({
  change: 'trim',
  kind: 'node_history',
  column: 'node_uuid',
  value: uuid,
  keep,
});

function documents(node: Node, version: number, before: Node | null, options: ProjectionOptions): Change[] {
  const document = nodeDocument(node, options.errorCharsMax);
  const put: Change = {
    change: 'put',
    kind: 'node',
    id: node.uuid,
    version,
    json: storedText(nodeFields, document),
    columns: columnsOf('node', document),
  };
  return [put, ...inventories(node, version, before), ...partsOf(node, version, before)];
}

function inventories(node: Node, version: number, before: Node | null): Change[] {
  if (!node.inventory || node.inventory === before?.inventory) return [];
  const { inventory, pluginData } = node.inventory;
  const json = JSON.stringify({ inventory, plugin_data: pluginData });
  return [{ change: 'put', kind: 'node_inventory', id: node.uuid, version, json, columns: {} }];
}

/** Only of nodes whose machine ever told of its parts. */
function partsOf({ uuid, parts }: Node, version: number, before: Node | null): Change[] {
  if (parts === (before?.parts ?? noParts)) return [];
  const json = JSON.stringify(partsDocument(parts));
  return [{ change: 'put', kind: 'node_parts', id: uuid, version, json, columns: {} }];
}

const removed = (uuid: string): Change[] => [
  { change: 'remove', kind: 'node', id: uuid },
  { change: 'remove', kind: 'node_inventory', id: uuid },
  { change: 'remove', kind: 'node_parts', id: uuid },
  { change: 'removeWhere', kind: 'node_history', column: 'node_uuid', value: uuid },
];

const keysOf = (node: Node | null): ReadonlyMap<string, string | null> =>
  new Map([
    ['node.name', node?.fields.name ?? null],
    ['node.instance_uuid', node?.fields.instance_uuid ?? null],
  ]);

function keys(owner: string, before: Node | null, after: Node | null): Change[] {
  const now = keysOf(after);
  return [...keysOf(before)].flatMap(([index, old]) => {
    const value = now.get(index) ?? null;
    if (old === value) return [];
    return [
      ...(old === null ? [] : [{ change: 'release', index, value: old, owner } as const]),
      ...(value === null ? [] : [{ change: 'claim', index, value, owner } as const]),
    ];
  });
}

/** While a node waits its ramdisk may find it by the addresses of its BMC (contract: inspection.md §6.3 step 4). */
function bmcAddressesOf(node: Node | null): readonly string[] {
  const known = node?.provisionState === 'inspect wait' ? node.driverInternalInfo['lookup_bmc_addresses'] : null;
  return Array.isArray(known) ? [...new Set(known.map((address) => addressKey(String(address))))] : [];
}

function bmcAddresses(uuid: string, before: Node | null, after: Node | null, version: number): Change[] {
  const [was, now] = [bmcAddressesOf(before), bmcAddressesOf(after)];
  if (sameJson(was, now)) return [];
  const put = (address: string): Change => {
    const columns = { node_uuid: uuid, address };
    return {
      change: 'put',
      kind: 'bmc_address',
      id: `${uuid}/${address}`,
      version,
      json: JSON.stringify(columns),
      columns,
    };
  };
  const gone: Change = { change: 'removeWhere', kind: 'bmc_address', column: 'node_uuid', value: uuid };
  return [...(was.length > 0 ? [gone] : []), ...now.map(put)];
}

const statusOf = (node: Node, deadline: Deadline): 'open' | 'held' => (isHeld(node, deadline) ? 'held' : 'open');

function deadlines(stream: string, before: Node | null, after: Node | null): Change[] {
  const change = ({ n, attempt, due }: Deadline, status: 'open' | 'held' | 'closed'): Change => ({
    change: 'deadline',
    stream,
    n,
    attempt,
    due,
    status,
  });
  const was = new Map(
    (before?.deadlines ?? []).map((one) => [one.n, before ? change(one, statusOf(before, one)) : null]),
  );
  const open = new Set((after?.deadlines ?? []).map(({ n }) => n));
  return [
    ...(before?.deadlines ?? []).filter(({ n }) => !open.has(n)).map((one) => change(one, 'closed')),
    ...(after?.deadlines ?? []).flatMap((one) => {
      const now = change(one, after ? statusOf(after, one) : 'open');
      return sameJson(was.get(one.n), now) ? [] : [now];
    }),
  ];
}

function effects(stream: string, before: Node | null, after: Node | null): Change[] {
  const change = ({ n, attempt, task }: Effect, status: 'open' | 'closed'): Change => ({
    change: 'effect',
    stream,
    n,
    attempt,
    status,
    json: JSON.stringify(task),
  });
  const was = new Set((before?.effects ?? []).map(({ n }) => n));
  const open = new Set((after?.effects ?? []).map(({ n }) => n));
  return [
    ...(before?.effects ?? []).filter(({ n }) => !open.has(n)).map((one) => change(one, 'closed')),
    ...(after?.effects ?? []).filter(({ n }) => !was.has(n)).map((one) => change(one, 'open')),
  ];
}
