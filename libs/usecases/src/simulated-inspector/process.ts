import {
  applicableRules,
  asPayload,
  changeOf,
  ended,
  failAsScripted,
  findByAttributes,
  InspectorRefusal,
  type Introspection,
  invalid,
  type JsonObject,
  type NodeChange,
  moved,
  portChanges,
  preprocessData,
  type Preprocessed,
  processData,
  reapplied,
  withoutLogs,
} from '@lib/domain/introspection';
import { BareMetalApiError, type NodeDocument } from './bare-metal-api';
import { discover } from './discover';
import { checkProvisionState, fetchNode, uuidOf } from './nodes';
import { keepingLogs } from './ramdisk-logs';
import type { InspectorRoom } from './room';

const writePorts = async (room: InspectorRoom, node: NodeDocument, pre: Preprocessed): Promise<void> => {
  const { api, options, logger } = room.parts;
  const changes = portChanges(pre.nics, await api.ports(node.uuid), options.hooks);
  for (const port of changes.create) {
    const made = await api.createPort({ ...port, nodeUuid: node.uuid });
    if (!made) logger.info({ node: node.uuid, address: port.address }, 'A port with this address exists already');
  }
  for (const uuid of changes.remove) await api.removePort(uuid);
  for (const port of changes.setPxeEnabled) {
    await api.patchPort(port.uuid, [{ op: 'replace', path: '/pxe_enabled', value: port.pxeEnabled }]);
  }
};

const runHooks = async (room: InspectorRoom, node: NodeDocument, pre: Preprocessed): Promise<JsonObject> => {
  const { api, options, logger } = room.parts;
  const done = processData(pre.data, node, options.hooks);
  for (const warning of [...pre.nics.skipped, ...done.warnings]) logger.warn({ node: node.uuid }, warning);
  const patch = Object.entries(done.properties).map(([key, value]) => ({
    op: 'add' as const,
    path: `/properties/${key}`,
    value,
  }));
  if (patch.length > 0) await api.patchNode(node.uuid, patch, false);
  await writePorts(room, node, pre);
  failAsScripted(done.data);
  return done.data;
};

const applyChange = async (room: InspectorRoom, uuid: string, change: NodeChange): Promise<void> => {
  const { api } = room.parts;
  switch (change.kind) {
    case 'add-trait':
      return api.addTrait(uuid, change.name);
    case 'remove-trait':
      return api.removeTrait(uuid, change.name);
    case 'patch':
      return api.patchNode(uuid, [{ op: 'add', path: change.path, value: change.value }], change.resetInterfaces);
  }
};

const applyRules = async (room: InspectorRoom, uuid: string, data: JsonObject): Promise<void> => {
  if (room.rules.length === 0) return;
  let node = await fetchNode(room, uuid);
  // All conditions of all rules are judged before any action runs (contract: inspector-api.md §3.8).
  for (const rule of applicableRules(room.rules, { data, node: node.document })) {
    for (const action of rule.actions) {
      await applyChange(room, uuid, changeOf(action, node.document, data));
      node = await fetchNode(room, uuid);
    }
  }
};

/** A ramdisk posts again after a 5xx, so that is kept for what may pass. */
const isFinal = (error: unknown): boolean =>
  error instanceof InspectorRefusal || (error instanceof BareMetalApiError && !error.mayPass);

/** Hooks, store, rules; whatever goes wrong ends the run in `error` with its text. */
const work = async (room: InspectorRoom, row: Introspection, pre: Preprocessed): Promise<NodeDocument> => {
  try {
    const node = await fetchNode(room, row.uuid);
    checkProvisionState(room, node);
    const data = await runHooks(room, node, pre);
    room.put({ ...room.row(row.uuid), processed: withoutLogs(data) });
    await applyRules(room, row.uuid, data);
    return node;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    room.put(ended(room.row(row.uuid), 'error', room.parts.clock.now(), text));
    // Whatever the reason, also a node that vanished, the ramdisk is told 400 (contract: inspector-api.md §3.7).
    throw isFinal(error) ? invalid(text) : error;
  }
};

/** Behind the answer: power off if the inspector booted the machine, then `finish`; the node's lock is held meanwhile. */
const finish = async (room: InspectorRoom, node: NodeDocument, manageBoot: boolean): Promise<void> => {
  const { api, clock, options } = room.parts;
  try {
    await room.kept.settled();
    if (manageBoot && options.powerOff && !node.disablePowerOff) await api.setPower(node.uuid, 'power off');
    room.put(ended(room.row(node.uuid), 'finish', clock.now(), null));
  } catch (error) {
    const text = `Failed to power off node ${node.uuid}: ${error instanceof Error ? error.message : String(error)}`;
    room.put(ended(room.row(node.uuid), 'error', clock.now(), text));
  }
};

/**
 * Complaints before the run was touched: all in one text. A found node gets the event `error`, which a waiting row does
 * not have: it goes on waiting, and right data sent later succeeds (contract: inspector-api.md §3.7 step 3 (obs)).
 */
const refuse = (room: InspectorRoom, found: Introspection | null, failures: readonly string[]): never => {
  const text = `The data was refused: ${failures.join('; ')}`;
  if (found) room.put(ended(room.row(found.uuid), 'error', room.parts.clock.now(), text));
  throw invalid(text);
};

interface LookedUp {
  readonly row: Introspection | null;
  readonly failures: readonly string[];
  /** There is something to find it by, and nobody has it. */
  readonly isUnknown: boolean;
}

const lookUp = (room: InspectorRoom, pre: Preprocessed): LookedUp => {
  try {
    const row = findByAttributes(room.rows.values(), pre.attributes);
    return { row, failures: pre.failures, isUnknown: false };
  } catch (error) {
    if (!(error instanceof InspectorRefusal)) throw error;
    return { row: null, failures: [...pre.failures, error.message], isUnknown: error.code === 'NOT_FOUND' };
  }
};

/** A row that can not be processed ends in error, where its state has that event: one whose job died with a process (§3.7 step 5). */
const processing = (room: InspectorRoom, row: Introspection): Introspection => {
  try {
    return moved(row, 'process');
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    room.put(ended(row, 'error', room.parts.clock.now(), text));
    throw error;
  }
};

const continueFound = async (
  room: InspectorRoom,
  found: Introspection,
  payload: JsonObject,
  pre: Preprocessed,
  failures: readonly string[],
): Promise<{ uuid: string }> => {
  const release = await room.locks.take(found.uuid);
  let handedOver = false;
  try {
    const row = room.row(found.uuid);
    if (failures.length > 0) return refuse(room, row, failures);
    // The row may have ended, or a new run may have begun, while this waited for the lock.
    if (row.finishedAt !== null || row.run !== found.run)
      throw invalid(`Introspection of ${row.uuid} has ended already`);
    room.put({ ...processing(room, row), unprocessed: withoutLogs(payload) });
    const node = await work(room, row, pre);
    handedOver = true;
    room.background('finish', node.uuid, () => finish(room, node, row.manageBoot).finally(release));
    return { uuid: node.uuid };
  } finally {
    if (!handedOver) release();
  }
};

/**
 * POST /v1/continue: data of a ramdisk. Resolves with the node's UUID once properties, ports and rules are done.
 * @throws InspectorRefusal INVALID
 */
export const continueIntrospection = async (room: InspectorRoom, body: unknown): Promise<{ uuid: string }> => {
  const payload = asPayload(body);
  return keepingLogs(room, payload, async (tell) => {
    const pre = preprocessData(payload, room.parts.options.hooks);
    const { row: found, failures, isUnknown } = lookUp(room, pre);
    if (found) {
      tell(found.uuid);
      return room.onBehalf(found, () => continueFound(room, found, payload, pre, failures));
    }
    if (!isUnknown || pre.failures.length > 0) return refuse(room, null, failures);
    const discovered = await room.onBehalf(null, () => discover(room, pre, () => lookUp(room, pre).row));
    if (!discovered) return refuse(room, null, failures);
    const { row, isNew } = discovered;
    tell(row.uuid);
    const data = isNew ? { ...pre.data, auto_discovered: true } : pre.data;
    return room.onBehalf(null, () => continueFound(room, row, payload, { ...pre, data }, []));
  });
};

const reapplyBehindTheAnswer = async (room: InspectorRoom, uuid: string, data: JsonObject): Promise<void> => {
  const { clock, options } = room.parts;
  const row = room.put(reapplied(room.row(uuid), clock.now()));
  const pre = preprocessData(data, options.hooks);
  if (pre.failures.length > 0) return refuse(room, row, pre.failures);
  await work(room, row, pre);
  room.put(ended(room.row(uuid), 'finish', clock.now(), null));
};

/**
 * POST /v1/introspection/{node}/data/unprocessed: the stored data, or that of the body, once more; never touches power.
 * @throws InspectorRefusal NOT_FOUND, INVALID, LOCKED
 */
export const reapplyIntrospection = async (room: InspectorRoom, ident: string, body: unknown): Promise<void> => {
  const given = body === undefined ? null : withoutLogs(asPayload(body));
  if (given === null && !room.parts.options.storeData)
    throw invalid('Nothing is stored here: send the data in the body');
  const uuid = await uuidOf(room, ident);
  const row = room.row(uuid);
  const data = given ?? row.unprocessed;
  if (data === null) throw new InspectorRefusal('NOT_FOUND', `No data is stored for node ${uuid}`);
  const release = room.locks.tryTake(uuid);
  if (!release) throw new InspectorRefusal('LOCKED', `Node ${uuid} is locked, please retry later`);
  if (given !== null) room.put({ ...row, unprocessed: given });
  room.background('reapply', uuid, () => reapplyBehindTheAnswer(room, uuid, data).finally(release));
};
