import { type Script, scriptOf } from '@lib/domain/introspection';
import { expectationOf, type Expectation } from '../endings';
import type { Listed, ListedNode, NodeList } from './node-list';

/** A node of the demo: what is created, what is done to it, and how it is to end. */
export interface PlannedNode {
  readonly label: string;
  /** Body of POST /v1/nodes. */
  readonly body: Listed;
  /** Bodies of POST /v1/ports, without the node. */
  readonly ports: readonly Listed[];
  readonly script: Script;
  readonly timeoutMs: number;
  /** From the start of the wait; null: nobody aborts it. */
  readonly abortMs: number | null;
  readonly expected: Expectation;
}

export interface Plan {
  readonly nodes: readonly PlannedNode[];
  readonly notes: readonly string[];
}

interface Part {
  readonly simulator: Listed;
  readonly timeoutSeconds: number;
  readonly abortAfter?: number;
}

const SHORT = 6;
const LONG = 60;

/** Parts for the nodes of a list that names no scripts, dealt out in turn. */
const parts: readonly Part[] = [
  { simulator: { script: 'succeed', after: 2 }, timeoutSeconds: LONG },
  { simulator: { script: 'never' }, timeoutSeconds: SHORT },
  { simulator: { script: 'never' }, timeoutSeconds: LONG, abortAfter: 3 },
  { simulator: { script: 'error', after: 3 }, timeoutSeconds: LONG },
  { simulator: { script: 'twice', after: 4 }, timeoutSeconds: LONG },
  { simulator: { script: 'late', after: 1 }, timeoutSeconds: LONG, abortAfter: 4 },
  { simulator: { script: 'late', after: 1 }, timeoutSeconds: SHORT },
];

/** What would reach out to real machines, or ask for hardware that the demo has not. */
const REPLACED = /^(driver|driver_info|.*_interface|chassis_uuid|conductor_group)$/;

/**
 * The demo's machines are simulated, whatever the list says of their BMC: driver, interfaces and driver_info are replaced and
 * sent to nobody. Scripts come from `extra.simulator`, deadlines from `driver_info.inspect_wait_timeout`, aborts from
 * `extra.demo.abort_after` (seconds); a node without a script gets one in turn.
 * @throws Error with a sentence that names the node
 */
export function planOf({ nodes, notes }: NodeList): Plan {
  const planned = nodes.map(planNode);
  const dealt = nodes.filter(({ node }) => wishOf(node) === null).length;
  const replaced = nodes.filter(({ node }) => (node['driver'] ?? 'fake-hardware') !== 'fake-hardware').length;
  return {
    nodes: planned,
    notes: [
      ...notes,
      ...(replaced > 0
        ? [
            `${replaced} of ${nodes.length} nodes have another driver than fake-hardware: simulated, no BMC is contacted`,
          ]
        : []),
      ...(dealt > 0
        ? [`${dealt} of ${nodes.length} nodes name no script in extra.simulator: they get one in turn`]
        : []),
    ],
  };
}

function planNode({ node, ports }: ListedNode, at: number): PlannedNode {
  const label = typeof node['name'] === 'string' ? node['name'] : `node ${at + 1}`;
  try {
    const part = partOf(node, at);
    const script = scriptOf({ simulator: { ...part.simulator } });
    if (script === null) throw new Error('extra.simulator names no script');
    const timeoutMs = part.timeoutSeconds * 1000;
    const abortMs = part.abortAfter === undefined ? null : part.abortAfter * 1000;
    const kept = Object.fromEntries(Object.entries(node).filter(([key]) => !REPLACED.test(key)));
    const body = {
      ...kept,
      driver: 'fake-hardware',
      inspect_interface: 'inspector',
      driver_info: { inspect_wait_timeout: part.timeoutSeconds },
      extra: { ...objectOf(node['extra']), simulator: part.simulator },
    };
    const expected = expectationOf(script, { timeoutMs, abortMs });
    const named = ports.map(withoutGroup);
    return { label, body, ports: named.length > 0 ? named : [inventedPort(at)], script, timeoutMs, abortMs, expected };
  } catch (error) {
    throw new Error(`${label}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const objectOf = (value: unknown): Listed =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Listed) : {};

const wishOf = (node: Listed): Listed | null => {
  const wish = objectOf(objectOf(node['extra'])['simulator']);
  return wish['script'] === undefined ? null : wish;
};

function partOf(node: Listed, at: number): Part {
  const simulator = wishOf(node);
  if (simulator === null) return parts[at % parts.length] as Part;
  const given = Number(objectOf(node['driver_info'])['inspect_wait_timeout'] ?? LONG);
  // Without an end nobody would see the demo's.
  if (!(given > 0 && given <= LONG_MAX)) throw new Error(`driver_info.inspect_wait_timeout must be 1 to ${LONG_MAX} s`);
  const abortAfter = objectOf(objectOf(node['extra'])['demo'])['abort_after'];
  if (abortAfter === undefined) return { simulator, timeoutSeconds: given };
  if (typeof abortAfter !== 'number' || !(abortAfter >= 0))
    throw new Error('extra.demo.abort_after must be a number of seconds');
  return { simulator, timeoutSeconds: given, abortAfter };
}

const LONG_MAX = 3600;

const withoutGroup = (port: Listed): Listed =>
  Object.fromEntries(Object.entries(port).filter(([key]) => key !== 'portgroup_uuid' && key !== 'node_uuid'));

/** The inspector knows a machine by its MAC addresses, so it needs one. */
const inventedPort = (at: number): Listed => ({ address: `52:54:00:DE:${hex(at >> 8)}:${hex(at & 255)}` });

const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();
