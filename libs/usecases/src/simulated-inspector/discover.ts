import {
  activeProvisionStates,
  adopted,
  InspectorRefusal,
  type Introspection,
  invalid,
  type Preprocessed,
} from '@lib/domain/introspection';
import { BareMetalApiError, type NodeDiscovery } from './bare-metal-api';
import { fetchNode } from './nodes';
import type { InspectorRoom } from './room';

/** A run that was begun by the data itself. */
interface Discovered {
  readonly row: Introspection;
  /** Its node was made for it. */
  readonly isNew: boolean;
}

const adopt = (room: InspectorRoom, uuid: string, state: 'waiting' | 'enrolling', pre: Preprocessed): Introspection => {
  const request = { uuid, now: room.parts.clock.now(), run: room.nextRun() };
  room.plans.delete(uuid);
  return room.put(adopted(room.rows.get(uuid), request, state, pre.attributes));
};

const ownersOf = async (discovery: NodeDiscovery, macs: readonly string[]): Promise<string[]> => {
  const owners = new Set<string>();
  for (const mac of macs) {
    const owner = await discovery.ownerOfPort(mac);
    if (owner !== null) owners.add(owner);
  }
  return [...owners];
};

const begin = async (room: InspectorRoom, discovery: NodeDiscovery, pre: Preprocessed): Promise<Discovered | null> => {
  const { permitActive = false, enrollDriver = null } = room.parts.options;
  const [owner, ...others] = await ownersOf(discovery, pre.attributes.macs);
  if (permitActive && owner !== undefined && others.length === 0) {
    const node = await fetchNode(room, owner);
    if (activeProvisionStates.includes(node.provisionState))
      return { row: adopt(room, node.uuid, 'waiting', pre), isNew: false };
  }
  if (enrollDriver === null) return null;
  if (owner !== undefined)
    throw invalid(`Node ${owner} has a port with an address of this machine, and is not introspected`);
  const [bmcAddress] = pre.attributes.bmcAddresses;
  const driverInfo = bmcAddress !== undefined && enrollDriver === 'ipmi' ? { ipmi_address: bmcAddress } : {};
  const { uuid } = await discovery.enroll({ driver: enrollDriver, driverInfo });
  return { row: adopt(room, uuid, 'enrolling', pre), isNew: true };
};

/**
 * Data that fits no run: of a node in use, where that is permitted, or of a machine that a node is made for (contract:
 * inspector-api.md §3.7 step 2); null: neither. One at a time, so that a machine that posts twice is one node.
 * @throws InspectorRefusal INVALID
 */
export const discover = async (
  room: InspectorRoom,
  pre: Preprocessed,
  lookAgain: () => Introspection | null,
): Promise<Discovered | null> => {
  const { discovery, options } = room.parts;
  if (!discovery || !(options.permitActive || options.enrollDriver)) return null;
  const release = await room.locks.take('discovery');
  try {
    const row = lookAgain();
    return row ? { row, isNew: false } : await begin(room, discovery, pre);
  } catch (error) {
    if (error instanceof InspectorRefusal) throw error;
    if (!(error instanceof BareMetalApiError)) throw error;
    throw invalid(`The Bare Metal API did not help to find the node of this data: ${error.message}`);
  } finally {
    release();
  }
};
