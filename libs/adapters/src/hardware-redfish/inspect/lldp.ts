import type { JsonObject } from '@lib/domain';
import { objectIn, textIn } from '../wire';
import type { Reader } from '../reader';

/** As the hook `parse-lldp` names what a switch tells (contract: inspection.md §7). */
const names: Readonly<Record<string, string>> = {
  ChassisId: 'switch_chassis_id',
  PortId: 'switch_port_id',
  SystemName: 'switch_system_name',
  SystemDescription: 'switch_system_description',
};

/** MACs are written in lower case, as in all that ramdisks tell. */
function valueOf(received: JsonObject, key: string): string | null {
  const value = textIn(received, key);
  return value !== null && received[`${key}Subtype`] === 'MacAddr' ? value.toLowerCase().replaceAll('-', ':') : value;
}

function switchAt(port: JsonObject): JsonObject {
  const received = objectIn(objectIn(port, 'Ethernet'), 'LLDPReceive');
  const told = Object.entries(names).map(([key, name]) => [name, valueOf(received, key)] as const);
  return Object.fromEntries(told.filter(([, value]) => value !== null));
}

const macsOf = (port: JsonObject): readonly string[] => {
  const macs = objectIn(port, 'Ethernet')['AssociatedMACAddresses'];
  return Array.isArray(macs) ? macs.filter((mac) => typeof mac === 'string').map((mac) => mac.toLowerCase()) : [];
};

/** The interface at this port, which the inventory names; else the port itself, by its adapter. */
function nameOf(port: JsonObject, adapter: JsonObject, interfaces: readonly JsonObject[]): string {
  const macs = macsOf(port);
  const nic = interfaces.find(({ mac_address: mac }) => typeof mac === 'string' && macs.includes(mac));
  const named = nic && textIn(nic, 'name');
  return named ?? `${textIn(adapter, 'Id') ?? 'adapter'}/${textIn(port, 'Id') ?? 'port'}`;
}

/**
 * `plugin_data.parsed_lldp`: what switches tell, by the name of the interface (contract: redfish.md §4, row 10). Null where the
 * BMC has no chassis with ports.
 */
export async function parsedLldpOf(
  system: JsonObject,
  interfaces: readonly JsonObject[],
  reader: Reader,
): Promise<JsonObject | null> {
  const found = new Map<string, JsonObject>();
  let hasPorts = false;
  for (const chassis of await reader.each(objectIn(system, 'Links')['Chassis'])) {
    for (const adapter of (await reader.members(chassis['NetworkAdapters'])) ?? []) {
      const ports = await reader.members(adapter['Ports']);
      hasPorts ||= ports !== null;
      for (const port of ports ?? []) {
        const told = switchAt(port);
        if (Object.keys(told).length > 0) found.set(nameOf(port, adapter, interfaces), told);
      }
    }
  }
  return hasPorts ? Object.fromEntries(found) : null;
}
