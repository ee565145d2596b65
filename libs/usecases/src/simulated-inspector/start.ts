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
import type { InspectorRoom, Plan } from './room';
import { isDue, ScriptedAnswer } from './scripted-answer';

export interface StartOptions {
  /** The inspector sets the boot device and reboots the machine itself. */
  readonly manageBoot: boolean;
  /** Number of the asker's attempt: the same one again, while its run is open, starts nothing a second time. */
  readonly attempt?: number;
}

/** Runs once the ramdisk is expected. */
export type OnWaiting = (node: NodeDocument, macs: readonly string[], run: number) => void;

/** Scripted machines. */
export interface ScriptedMachines {
  readonly boot: OnWaiting;
  /** A machine that was on before anybody knows it. */
  bootEarly(node: NodeDocument): Promise<void>;
}

const isRepeated = (room: InspectorRoom, uuid: string, attempt: number | undefined): boolean => {
  const last = room.attempts.get(uuid);
  const row = room.rows.get(uuid);
  return attempt !== undefined && last?.attempt === attempt && row?.run === last.run && row.finishedAt === null;
};

const scriptFor = (room: InspectorRoom, node: NodeDocument): Script | null => {
  const { fleet } = room.parts.options;
  return scriptOf(node.extra) ?? (fleet ? fleetScript(fleet, node.name ?? node.uuid) : null);
};

/** Text with which the start is to fail behind its answer; null: it is not to fail. @throws ScriptedAnswer */
const failureAsScripted = (room: InspectorRoom, uuid: string, script: Script | null): string | null => {
  const fault = script?.start ?? null;
  const seen = (room.startsSeen.get(uuid) ?? 0) + 1;
  if (fault) room.startsSeen.set(uuid, seen);
  room.touched(uuid);
  if (fault && isDue(fault, seen)) {
    if (fault.answer !== 'error') throw new ScriptedAnswer('a start', fault.answer);
    return fault.message;
  }
  room.startsSeen.delete(uuid);
  return null;
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

/** @throws InspectorRefusal INVALID when the API fails: no answer is no validation (§3.1 step 3). */
const powerProblem = (room: InspectorRoom, uuid: string): Promise<string | null> =>
  room.parts.api.powerProblem(uuid).catch((error: unknown) => {
    if (error instanceof BareMetalApiError) throw invalid(`Cannot validate the power interface: ${error.message}`);
    throw error;
  });

interface Rest {
  readonly manageBoot: boolean;
  /** Text of a failure that the script wants; null: none. */
  readonly failure: string | null;
  readonly onWaiting: OnWaiting;
}

const prepare = async (room: InspectorRoom, node: NodeDocument, rest: Rest): Promise<readonly string[]> => {
  const ports = await room.parts.api.ports(node.uuid);
  const bootFirst = [...ports].sort((a, b) => Number(b.pxeEnabled) - Number(a.pxeEnabled));
  const macs = bootFirst.map((port) => normaliseMac(port.address)).filter((mac) => mac !== null);
  const row = room.put(knownBy(room.row(node.uuid), macs));
  if (macs.length === 0 && row.attributes.bmcAddresses.length === 0 && !room.parts.options.enrollDriver) {
    throw invalid(`No lookup attributes were found for node ${node.uuid}: it has neither ports nor a BMC address`);
  }
  if (rest.failure !== null) throw invalid(rest.failure);
  if (rest.manageBoot) {
    await setBootDevice(room, node);
    await room.turns.take();
    await room.parts.api.setPower(node.uuid, 'rebooting');
  }
  return macs;
};

/** Under the node's lock: attributes, boot device, power, then the wait; a failure ends the run (inspector-api.md §3.1). */
const doRest = async (room: InspectorRoom, node: NodeDocument, rest: Rest): Promise<void> => {
  const release = await room.locks.take(node.uuid);
  try {
    await room.kept.settled();
    const macs = await prepare(room, node, rest);
    const row = room.put(moved(room.row(node.uuid), 'wait'));
    rest.onWaiting(node, macs, row.run);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    room.put(ended(room.row(node.uuid), 'error', room.parts.clock.now(), text));
    throw error instanceof BareMetalApiError ? invalid(`Failed to start introspection: ${text}`) : error;
  } finally {
    release();
  }
};

const planOf = (run: number, script: Script): Plan => ({
  run,
  script,
  abortsSeen: 0,
  statusesSeen: 0,
  datasSeen: 0,
  machine: null,
  jobs: [],
});

/**
 * POST /v1/introspection/{node}. With `manageBoot` the rest runs behind the answer, else before it.
 * @throws InspectorRefusal NOT_FOUND, INVALID
 */
export const startIntrospection = async (
  room: InspectorRoom,
  ident: string,
  start: StartOptions,
  machines: ScriptedMachines,
): Promise<void> => {
  const { parts } = room;
  if (start.manageBoot && !parts.options.canManageBoot)
    throw invalid('Managed boot is not possible here (can_manage_boot)');
  const node = await fetchNode(room, ident);
  checkProvisionState(room, node);
  if (start.manageBoot) {
    const problem = await powerProblem(room, node.uuid);
    if (problem !== null) throw invalid(`The power interface of node ${node.uuid} does not validate: ${problem}`);
  }
  const script = scriptFor(room, node);
  const bmcAddresses = await bmcAddressesOf(room, node);
  if (isRepeated(room, node.uuid, start.attempt)) return;
  const request = { uuid: node.uuid, now: parts.clock.now(), manageBoot: start.manageBoot, bmcAddresses };
  const failure = failureAsScripted(room, node.uuid, script);
  const row = room.put(begun(room.rows.get(node.uuid), { ...request, run: room.nextRun() }));
  room.startedByCaller(node.uuid, row.run);
  if (start.attempt !== undefined) room.attempts.set(node.uuid, { attempt: start.attempt, run: row.run });
  if (script) room.plans.set(node.uuid, planOf(row.run, script));
  else room.plans.delete(node.uuid);
  if (script?.script === 'early') await machines.bootEarly(node);
  const running = doRest(room, node, { manageBoot: start.manageBoot, failure, onWaiting: machines.boot });
  if (start.manageBoot) room.background('start', node.uuid, () => running);
  else await running;
};
