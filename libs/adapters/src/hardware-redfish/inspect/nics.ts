import { isMac } from '@lib/domain';
import type { JsonObject } from '@lib/domain';
import { HardwareError } from '../hardware-error';
import { numberIn, objectIn, textIn } from '../wire';
import type { Reader } from '../reader';

export interface NicsSeen {
  readonly interfaces: readonly JsonObject[];
  readonly warnings: readonly string[];
}

/** Addresses of those that are enabled and healthy (contract: redfish.md §4, enabled-MAC list). */
export async function enabledMacs(system: JsonObject, reader: Reader): Promise<readonly string[]> {
  const members = (await reader.members(system['EthernetInterfaces'])) ?? [];
  return members
    .filter((nic) => {
      const status = objectIn(nic, 'Status');
      return textIn(status, 'Health') === 'OK' && textIn(status, 'State') === 'Enabled';
    })
    .flatMap((nic) => macOf(nic) ?? []);
}

const macOf = (nic: JsonObject): string | null => textIn(nic, 'MACAddress') ?? textIn(nic, 'PermanentMACAddress');

/** contract: redfish.md §4, row 6 */
export async function nicsOf(system: JsonObject, reader: Reader): Promise<NicsSeen> {
  const members = await reader.members(system['EthernetInterfaces']);
  if (members === null) {
    throw new HardwareError('Unexpected exception: the system has no link to its EthernetInterfaces');
  }
  const interfaces: JsonObject[] = [];
  const warnings: string[] = [];
  for (const nic of members) {
    const name = textIn(nic, 'Id') ?? textIn(nic, 'Name');
    const mac = macOf(nic);
    if (mac !== null && isMac(mac)) {
      interfaces.push({ name, mac_address: mac.toLowerCase(), speed_mbps: numberIn(nic, 'SpeedMbps') });
    } else {
      warnings.push(`interface ${String(name)} is left out: ${JSON.stringify(mac ?? '')} is no usable MAC`);
    }
  }
  return { interfaces, warnings };
}
