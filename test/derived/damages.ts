import { FULL, FULL_PORT } from './history';

/** Something done to the tables, and what `verify` has to say about it at least. */
export interface Damage {
  readonly name: string;
  readonly statements: readonly string[];
  /** `what` and the beginning of `where`. */
  readonly found: readonly (readonly [what: string, where: string])[];
}

const NODE = `node/${FULL}`;
const GHOST = 'ffffffff-0000-4000-8000-000000000001';
const ofNode = `stream_id = '${NODE}'`;

/** Of rows that derive from the events: `rebuild` mends them. */
export const rowDamages: readonly Damage[] = [
  ...(['node', 'port', 'node_inventory'] as const).map((kind) => ({
    name: `a ${kind} document removed`,
    statements: [`DELETE FROM doc_${kind} WHERE id = '${kind === 'port' ? FULL_PORT : FULL}'`],
    found: [['missing row', `${kind} ${kind === 'port' ? FULL_PORT : FULL}`]] as const,
  })),
  ...(['node_history', 'bmc_address'] as const).map((kind) => ({
    name: `rows of ${kind} removed`,
    statements: [`DELETE FROM doc_${kind} WHERE node_uuid = '${FULL}'`],
    found: [['missing row', `${kind} `]] as const,
  })),
  {
    name: 'a state changed in the text of a document',
    statements: [`UPDATE doc_node SET json = replace(json, '"inspect wait"', '"manageable"') WHERE id = '${FULL}'`],
    found: [['row', `node ${FULL} json.provision_state`]],
  },
  {
    name: 'a state changed in the column of a document',
    statements: [`UPDATE doc_node SET provision_state = 'manageable' WHERE id = '${FULL}'`],
    found: [['row', `node ${FULL} provision_state`]],
  },
  {
    name: 'a flag changed in the column of a document',
    statements: [`UPDATE doc_node SET maintenance = 1 - maintenance WHERE id = '${FULL}'`],
    found: [['row', `node ${FULL} maintenance`]],
  },
  {
    name: 'a member moved in the text of a document',
    statements: [`UPDATE doc_node SET json = replace(json, ',"driver":', ', "driver":') WHERE id = '${FULL}'`],
    found: [['row', `node ${FULL} json`]],
  },
  {
    name: 'a text that is no document',
    statements: [`UPDATE doc_port SET json = '{' WHERE id = '${FULL_PORT}'`],
    found: [['row', `port ${FULL_PORT} json`]],
  },
  {
    name: 'a document at another version',
    statements: [`UPDATE doc_node SET version = version - 1 WHERE id = '${FULL}'`],
    found: [['row', `node ${FULL} version`]],
  },
  {
    name: 'documents of a node that never was',
    statements: [
      `INSERT INTO doc_node (id, version, json) VALUES ('${GHOST}', 1, '{}')`,
      `INSERT INTO doc_node_history (id, version, json, node_uuid) VALUES ('h', 1, '{}', '${GHOST}')`,
    ],
    found: [
      ['extra row', `node ${GHOST}`],
      ['extra row', 'node_history h'],
    ],
  },
  {
    name: 'a unique key removed',
    statements: [`DELETE FROM unique_keys WHERE value = 'full'`],
    found: [['missing row', 'unique_keys node.name full']],
  },
  {
    name: 'a unique key in the hands of another',
    statements: [`UPDATE unique_keys SET owner = 'node/${GHOST}' WHERE value = 'full'`],
    found: [['row', 'unique_keys node.name full owner']],
  },
  {
    name: 'a unique key that nobody asks for',
    statements: [`INSERT INTO unique_keys (index_name, value, owner) VALUES ('node.name', 'ghost', '${NODE}')`],
    found: [['extra row', 'unique_keys node.name ghost']],
  },
  {
    name: 'a unique key under another name',
    statements: [`UPDATE unique_keys SET value = 'ghost' WHERE value = 'full'`],
    found: [
      ['missing row', 'unique_keys node.name full'],
      ['extra row', 'unique_keys node.name ghost'],
    ],
  },
  {
    name: 'a deadline removed',
    statements: [`DELETE FROM deadlines WHERE ${ofNode}`],
    found: [['missing row', `deadlines ${NODE} 2`]],
  },
  {
    name: 'a deadline moved and held',
    statements: [`UPDATE deadlines SET due = due + 1, status = 'held' WHERE ${ofNode}`],
    found: [
      ['row', `deadlines ${NODE} 2 due`],
      ['row', `deadlines ${NODE} 2 status`],
    ],
  },
  {
    name: 'a deadline that is over',
    statements: [`INSERT INTO deadlines (stream_id, n, attempt, due, status) VALUES ('${NODE}', 1, 1, 1, 'open')`],
    found: [['extra row', `deadlines ${NODE} 1`]],
  },
  {
    name: 'an effect removed',
    statements: [`DELETE FROM effects WHERE ${ofNode}`],
    found: [['missing row', `effects ${NODE} `]],
  },
  {
    name: 'an effect that does something else',
    statements: [`UPDATE effects SET json = replace(json, 'power on', 'power off') WHERE ${ofNode}`],
    found: [['row', `effects ${NODE} `]],
  },
  {
    name: 'an effect that is over',
    statements: [`INSERT INTO effects (stream_id, n, json) VALUES ('${NODE}', 1, '{}')`],
    found: [['extra row', `effects ${NODE} 1`]],
  },
  {
    name: 'the head of a stream behind and with another hash',
    statements: [`UPDATE streams SET version = version - 1, hash = 'ab', removed = 1 WHERE ${ofNode}`],
    found: [
      ['row', `streams ${NODE} version`],
      ['row', `streams ${NODE} hash`],
      ['row', `streams ${NODE} removed`],
    ],
  },
  {
    name: 'the head of a stream removed',
    statements: [`DELETE FROM streams WHERE ${ofNode}`],
    found: [['missing row', `streams ${NODE}`]],
  },
  {
    name: 'a command removed and one moved',
    statements: [
      `DELETE FROM commands WHERE first_position = 1`,
      `UPDATE commands SET last_position = last_position + 1 WHERE first_position = 2`,
    ],
    found: [
      ['command', 'command '],
      ['command', 'command '],
    ],
  },
  {
    name: 'a command that was never given',
    statements: [`INSERT INTO commands (command_id, first_position, last_position) VALUES ('ghost', 3, 3)`],
    found: [['command', 'command ghost']],
  },
];

const atVersion = (version: number): string => `${ofNode} AND version = ${version}`;
const LAST = 'position = (SELECT max(position) FROM events)';

/** Of the log itself: nothing mends them. */
export const eventDamages: readonly Damage[] = [
  {
    name: 'a byte flipped in the data of an event',
    statements: [`UPDATE events SET data = replace(data, '"full"', '"fulk"') WHERE ${atVersion(1)}`],
    found: [['hash', `${NODE} version 1 `]],
  },
  {
    name: 'an actor put into the meta of an event',
    statements: [`UPDATE events SET meta = replace(meta, '"actor":null', '"actor":"eve"') WHERE ${atVersion(3)}`],
    found: [['hash', `${NODE} version 3 `]],
  },
  {
    name: 'data and meta that are no JSON',
    statements: [
      `UPDATE events SET data = '{' WHERE ${atVersion(2)}`,
      `UPDATE events SET meta = '{' WHERE ${atVersion(4)}`,
    ],
    found: [
      ['event', 'position '],
      ['event', `${NODE} version 2 `],
      ['hash', `${NODE} version 4 `],
    ],
  },
  {
    name: 'an event of another type',
    statements: [`UPDATE events SET type = 'NodeRemoved' WHERE ${atVersion(2)}`],
    found: [
      ['hash', `${NODE} version 2 `],
      ['event', `${NODE} version 3 `],
    ],
  },
  {
    name: 'an event removed from the middle',
    statements: [`DELETE FROM events WHERE ${atVersion(3)}`],
    found: [
      ['position', 'position '],
      ['version', `${NODE} version 4 `],
      ['prev_hash', `${NODE} version 4 `],
    ],
  },
  {
    name: 'the last event removed',
    statements: [`DELETE FROM events WHERE ${LAST}`],
    found: [
      ['row', 'streams node/'],
      ['command', 'command '],
    ],
  },
  {
    name: 'the hashes of two events swapped',
    statements: [
      `CREATE TABLE swapped AS SELECT version, hash FROM events WHERE ${ofNode} AND version IN (2, 3)`,
      `UPDATE events SET hash = (SELECT swapped.hash FROM swapped WHERE swapped.version = 5 - events.version)
         WHERE ${ofNode} AND version IN (2, 3)`,
    ],
    found: [
      ['hash', `${NODE} version 2 `],
      ['hash', `${NODE} version 3 `],
      ['prev_hash', `${NODE} version 4 `],
    ],
  },
  {
    name: 'a chain that begins with a hash',
    statements: [`UPDATE events SET prev_hash = hash WHERE ${atVersion(1)}`],
    found: [['prev_hash', `${NODE} version 1 `]],
  },
  {
    name: 'an event before its predecessor in time',
    statements: [`UPDATE events SET recorded_at = recorded_at - 100000000 WHERE ${LAST}`],
    found: [['recorded_at', 'position ']],
  },
  {
    name: 'the command of another event',
    statements: [
      `UPDATE events SET meta = (SELECT other.meta FROM events AS other WHERE other.position = 1) WHERE ${LAST}`,
    ],
    found: [
      ['command', 'command '],
      ['hash', 'node/'],
    ],
  },
  {
    name: 'blobs removed',
    statements: ['DELETE FROM blobs'],
    found: [['blob', 'blob of node/']],
  },
  {
    name: 'blobs with other contents',
    statements: [`UPDATE blobs SET bytes = (SELECT bytes FROM blobs ORDER BY hash LIMIT 1)`],
    found: [['blob', 'blob of node/']],
  },
];
