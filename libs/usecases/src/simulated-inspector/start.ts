import {
  begun,
  bmcHostOf,
  ended,
  fleetScript,
  invalid,
  knownBy,
  moved,
  normaliseMac,
  parseIp,
  type Script,
  scriptOf,
} from '@lib/domain/introspection';
import { BareMetalApiError, type NodeDocument } from './bare-metal-api';
import { checkProvisionState, fetchNode } from './nodes';
import type { InspectorRoom } from './room';
import { answerAsScripted } from './scripted-answer';

export interface StartOptions {
  /** The inspector sets the boot device and reboots the machine itself. */
  readonly manageBoot: boolean;
  /** Number of the asker's attempt: the same one again, while its run is open, starts nothing a second time. */
  readonly attempt?: number;
}

/** What runs once the ramdisk is expected: scripted ramdisks. */
export type OnWaiting = (node: NodeDocument, macs: readonly string[], run: number) => void;

const isRepeated = (room: InspectorRoom, uuid: string, attempt: number | undefined): boolean => {
  const last = room.attempts.get(uuid);
  const row = room.rows.get(uuid);
  return attempt !== undefined && last?.attempt === attempt && row?.run === last.run && row.finishedAt === null;
};

const scriptFor = (room: InspectorRoom, node: NodeDocument): Script | null => {
  const { fleet } = room.parts.options;
  return scriptOf(node.extra) ?? (fleet ? fleetScript(fleet, node.name ?? node.uuid) : null);
};

const refuseAsScripted = (room: InspectorRoom, uuid: string, script: Script | null): void => {
  const seen = (room.startsSeen.get(uuid) ?? 0) + 1;
  if (script?.start) room.startsSeen.set(uuid, seen);
  answerAsScripted('a start', script?.start ?? null, seen);
  room.startsSeen.delete(uuid);
};

const bmcAddressesOf = async (room: InspectorRoom, node: NodeDocument): Promise<readonly string[]> => {
  const host = bmcHostOf(node.driverInfo);
  if (host === null) return [];
  return parseIp(host) ? [host] : room.parts.resolveHost(host);
};

const setBootDevice = async (room: InspectorRoom, node: NodeDocument): Promise<void> => {
  const persistent = node.driverInfo['force_persistent_boot_device'] === 'Always';
  try {
    await room.parts.api.setBootDevice(node.uuid, 'pxe', persistent);
  } catch (error) {
    // A management interface that cannot do it is no reason to give up: the machine may be set to network boot already.
    if (!(error instanceof BareMetalApiError) || error.mayPass) throw error;
    room.parts.logger.warn({ node: node.uuid, reason: error.message }, 'The boot device was not set to PXE');
  }
};

const prepare = async (room: InspectorRoom, node: NodeDocument, manageBoot: boolean): Promise<readonly string[]> => {
  const ports = await room.parts.api.ports(node.uuid);
  const bootFirst = [...ports].sort((a, b) => Number(b.pxeEnabled) - Number(a.pxeEnabled));
  const macs = bootFirst.map((port) => normaliseMac(port.address)).filter((mac) => mac !== null);
  const row = room.put(knownBy(room.row(node.uuid), macs));
  if (macs.length === 0 && row.attributes.bmcAddresses.length === 0) {
    throw invalid(`No lookup attributes were found for node ${node.uuid}: it has neither ports nor a BMC address`);
  }
  if (manageBoot) {
    await setBootDevice(room, node);
    await room.parts.api.setPower(node.uuid, 'rebooting');
  }
  return macs;
};

/** Under the node's lock: attributes, boot device, power, then the wait; a failure ends the run (inspector-api.md §3.1). */
const rest = async (
  room: InspectorRoom,
  node: NodeDocument,
  manageBoot: boolean,
  onWaiting: OnWaiting,
): Promise<void> => {
  const release = await room.locks.take(node.uuid);
  try {
    const macs = await prepare(room, node, manageBoot);
    const row = room.put(moved(room.row(node.uuid), 'wait'));
    onWaiting(node, macs, row.run);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    room.put(ended(room.row(node.uuid), 'error', room.parts.clock.now(), text));
    throw error instanceof BareMetalApiError ? invalid(`Failed to start introspection: ${text}`) : error;
  } finally {
    release();
  }
};

/**
 * POST /v1/introspection/{node}. With `manageBoot` the rest runs behind the answer, else before it.
 * @throws InspectorRefusal NOT_FOUND, INVALID
 */
export const startIntrospection = async (
  room: InspectorRoom,
  ident: string,
  start: StartOptions,
  onWaiting: OnWaiting,
): Promise<void> => {
  const { parts } = room;
  if (start.manageBoot && !parts.options.canManageBoot)
    throw invalid('Managed boot is not possible here (can_manage_boot)');
  const node = await fetchNode(room, ident);
  checkProvisionState(node);
  if (start.manageBoot) {
    const problem = await parts.api.powerProblem(node.uuid);
    if (problem !== null) throw invalid(`The power interface of node ${node.uuid} does not validate: ${problem}`);
  }
  const script = scriptFor(room, node);
  const bmcAddresses = await bmcAddressesOf(room, node);
  if (isRepeated(room, node.uuid, start.attempt)) return;
  const request = { uuid: node.uuid, now: parts.clock.now(), manageBoot: start.manageBoot, bmcAddresses };
  refuseAsScripted(room, node.uuid, script);
  const row = room.put(begun(room.rows.get(node.uuid), { ...request, run: room.nextRun() }));
  if (start.attempt !== undefined) room.attempts.set(node.uuid, { attempt: start.attempt, run: row.run });
  if (script) room.plans.set(node.uuid, { run: row.run, script, abortsSeen: 0, statusesSeen: 0 });
  else room.plans.delete(node.uuid);
  const running = rest(room, node, start.manageBoot, onWaiting);
  if (start.manageBoot) room.background('start', node.uuid, () => running);
  else await running;
};
