import { isLoopback, normaliseMac, pxeMacOf } from '../addresses';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '../json';
import type { HookOptions } from './options';

/** One NIC as the processed data shows it. */
export interface Nic {
  readonly ip: string | null;
  readonly mac: string;
  readonly client_id: string | null;
  readonly pxe: boolean;
}

export interface NicSets {
  readonly all: ReadonlyMap<string, Nic>;
  readonly valid: ReadonlyMap<string, Nic>;
  /** What was left out, and why. */
  readonly skipped: readonly string[];
}

const pxeMacIn = (payload: JsonObject): string | null =>
  pxeMacOf(payload['boot_interface']) ?? pxeMacOf(objectAt(objectAt(payload, 'inventory'), 'boot')['pxe_interface']);

const ipOf = (nic: JsonObject): string | null =>
  textAt(nic, 'ipv4_address') ?? textAt(nic, 'ipv6_address')?.split('%')[0] ?? null;

const readNics = (payload: JsonObject): { all: Map<string, Nic>; skipped: string[] } => {
  const pxeMac = pxeMacIn(payload);
  const all = new Map<string, Nic>();
  const skipped: string[] = [];
  for (const entry of listAt(objectAt(payload, 'inventory'), 'interfaces')) {
    const nic = isObject(entry) ? entry : {};
    const name = textAt(nic, 'name');
    const mac = normaliseMac(nic['mac_address']);
    if (name === null) skipped.push('an interface without a name');
    else if (mac === null) skipped.push(`interface ${name}: no usable MAC`);
    else all.set(name, { ip: ipOf(nic), mac, client_id: textAt(nic, 'client_id'), pxe: mac === pxeMac });
  }
  return { all, skipped };
};

const isWanted = (name: string, nic: Nic, addPorts: HookOptions['addPorts'], pxeKnown: boolean): boolean => {
  if (name === 'lo' || (nic.ip !== null && isLoopback(nic.ip))) return false;
  if (addPorts === 'pxe' && pxeKnown) return nic.pxe;
  if (addPorts === 'pxe' || addPorts === 'active') return nic.ip !== null;
  return true;
};

/** The NICs of an inventory, and those that name or become ports (contract: inspection.md §7.1 with the inspector's IP filter). */
export const nicSets = (payload: JsonObject, options: HookOptions): NicSets => {
  const { all, skipped } = readNics(payload);
  const pxeKnown = pxeMacIn(payload) !== null;
  const valid = new Map([...all].filter(([name, nic]) => isWanted(name, nic, options.addPorts, pxeKnown)));
  return { all, valid, skipped };
};

/** Text of the failure when no NIC is usable, null when one is. */
export const nicFailure = (payload: JsonObject, nics: NicSets, options: HookOptions): string | null => {
  if (!isObject(payload['inventory'])) return 'validate_interfaces: the data holds no inventory';
  if (nics.all.size === 0) return 'validate_interfaces: no interface with a name and a MAC in the inventory';
  if (nics.valid.size === 0) return `validate_interfaces: no interface fits add_ports = ${options.addPorts}`;
  return null;
};
