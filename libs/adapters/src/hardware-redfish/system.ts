import type { JsonObject, ReportedPowerState } from '@lib/domain';
import type { BmcConnection, Turn } from './connection';
import { HardwareError } from './hardware-error';
import { objectIn, pathIn } from './wire';

/** A ComputerSystem as it was read last. */
export interface SystemSeen {
  readonly path: string;
  readonly document: JsonObject;
  readonly etag: string | null;
}

/** Who asks what of which system, and how long it may take. */
export interface SystemCall {
  readonly system: SystemSeen;
  readonly bmc: BmcConnection;
  readonly turn: Turn;
}

/** Paths of a collection's members; a member that stands there whole is handed on as it is. */
export const membersOf = (collection: JsonObject): readonly unknown[] => {
  const members = collection['Members'];
  return Array.isArray(members) ? members : [];
};

/** The node's system: the one that driver_info names, else the only one of the BMC (contract: redfish.md §1). */
async function systemPath(bmc: BmcConnection, turn: Turn): Promise<string> {
  const { systemPath: named, origin, root } = bmc.access;
  if (named !== null) return named;
  const systems = pathIn((await bmc.serviceRoot(turn))['Systems']) ?? `${root}Systems`;
  const { document } = await bmc.get(systems, turn);
  const paths = membersOf(document).map(pathIn);
  const [only] = paths;
  if (paths.length !== 1 || !only) {
    throw new HardwareError(
      `The BMC ${origin} has ${paths.length} systems: driver_info needs redfish_system_id to say which one is meant.`,
    );
  }
  return only;
}

export async function findSystem(bmc: BmcConnection, turn: Turn): Promise<SystemSeen> {
  const path = await systemPath(bmc, turn);
  return { path, ...(await bmc.get(path, turn)) };
}

const states: Readonly<Record<string, ReportedPowerState>> = {
  On: 'power on',
  PoweringOn: 'power on',
  Off: 'power off',
  PoweringOff: 'power off',
};

/** contract: redfish.md §3; null: the BMC cannot tell. */
export const powerStateOf = ({ document }: SystemSeen): ReportedPowerState =>
  states[String(document['PowerState'])] ?? null;

/** Where a reset is asked for, and what it takes. */
export function resetAction({ document, path }: SystemSeen): { readonly target: string; readonly action: JsonObject } {
  const action = objectIn(objectIn(document, 'Actions'), '#ComputerSystem.Reset');
  const { target } = action;
  if (typeof target !== 'string' || target === '') throw new HardwareError(`The system ${path} offers no reset.`);
  return { target: URL.canParse(target) ? new URL(target).pathname : target, action };
}
