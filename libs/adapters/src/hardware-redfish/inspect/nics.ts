import { isMac } from '@lib/domain';
import type { JsonObject } from '@lib/domain';
import { HardwareError } from '../hardware-error';
import { numberIn, textIn } from '../wire';
import type { Reader } from './reader';

export interface NicsSeen {
  readonly interfaces: readonly JsonObject[];
  readonly warnings: readonly string[];
}

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
    const mac = textIn(nic, 'MACAddress') ?? textIn(nic, 'PermanentMACAddress');
    if (mac !== null && isMac(mac)) {
      interfaces.push({ name, mac_address: mac.toLowerCase(), speed_mbps: numberIn(nic, 'SpeedMbps') });
    } else {
      warnings.push(`interface ${String(name)} is left out: ${JSON.stringify(mac ?? '')} is no usable MAC`);
    }
  }
  return { interfaces, warnings };
}
