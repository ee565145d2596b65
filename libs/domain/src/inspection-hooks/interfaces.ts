import { isLoopback, pxeMacOf } from '../introspection/addresses';
import type { JsonObject } from '../node/fields';
import { isMac } from '../port';
import { HookFailure } from './types';
import type { Hook, HookOptions, Nic, NicSets } from './types';

/** No machine has more; each may become a port. */
const NICS_MAX = 1000;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The NIC that the machine booted from, in lower case; plain or in the pxelinux form. */
function pxeMacIn({ boot }: JsonObject): string | null {
  return isObject(boot) ? pxeMacOf(boot['pxe_interface']) : null;
}

/** Each NIC that has a name and a usable MAC (contract: inspection.md §7.1). */
function allNics(interfaces: readonly unknown[], pxeMac: string | null): { nics: Nic[]; warnings: string[] } {
  const nics = new Map<string, Nic>();
  const warnings: string[] = [];
  for (const entry of interfaces) {
    const nic = isObject(entry) ? entry : {};
    const { mac_address: mac } = nic;
    const name = text(nic['name']);
    if (name === null) warnings.push(`an interface without a name is left out (MAC ${String(mac)})`);
    else if (!isMac(mac)) warnings.push(`interface ${name} is left out: ${JSON.stringify(mac)} is no usable MAC`);
    else
      nics.set(name, { ...nic, ...unscoped(nic), name, mac_address: mac, pxe_enabled: mac.toLowerCase() === pxeMac });
  }
  return { nics: [...nics.values()], warnings };
}

/** `fe80::1%eth0` is an address of this link only; what is kept is the address. */
function unscoped({ ipv6_address: v6 }: JsonObject): JsonObject {
  return typeof v6 === 'string' ? { ipv6_address: v6.split('%')[0] } : {};
}

const ipOf = (nic: Nic): string | null => text(nic['ipv4_address']) ?? text(nic['ipv6_address']);

function isWanted(nic: Nic, addPorts: HookOptions['addPorts'], pxeMac: string | null): boolean {
  const ip = ipOf(nic);
  if (nic.name === 'lo' || (ip !== null && isLoopback(ip))) return false;
  if (addPorts === 'pxe') return pxeMac === null || nic.pxe_enabled;
  return addPorts !== 'active' || ip !== null;
}

const byName = (nics: readonly Nic[]): JsonObject => Object.fromEntries(nics.map((nic) => [nic.name, nic]));

export const validateInterfaces: Hook = {
  after: [],
  preprocess(progress, { inventory, options }) {
    const { interfaces } = inventory;
    if (!Array.isArray(interfaces)) throw new HookFailure('validate-interfaces: the inventory has no interfaces');
    if (interfaces.length > NICS_MAX) {
      throw new HookFailure(`validate-interfaces: more than ${NICS_MAX} interfaces (${interfaces.length})`);
    }
    const pxeMac = pxeMacIn(inventory);
    const { nics: all, warnings } = allNics(interfaces, pxeMac);
    if (all.length === 0)
      throw new HookFailure('validate-interfaces: no interface of the inventory has a name and a MAC');
    const valid = all.filter((nic) => isWanted(nic, options.addPorts, pxeMac));
    if (valid.length === 0) {
      throw new HookFailure(`validate-interfaces: no interface fits [inspector] add_ports = ${options.addPorts}`);
    }
    const nics: NicSets = { all, valid, pxeMac };
    return {
      ...progress,
      nics,
      warnings: [...progress.warnings, ...warnings],
      pluginData: {
        ...progress.pluginData,
        all_interfaces: byName(all),
        valid_interfaces: byName(valid),
        macs: [...new Set(valid.map(({ mac_address: mac }) => mac.toLowerCase()))],
      },
    };
  },
};
