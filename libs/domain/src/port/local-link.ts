import type { JsonObject } from '../node/fields';
import { Refusal } from '../refusal';
import { isMac } from './mac';

const keys: readonly string[] = [
  'port_id',
  'switch_id',
  'hostname',
  'switch_info',
  'network_type',
  'vtep-logical-switch',
  'vtep-physical-switch',
];

/** Keys of which one whole row must be there. The second is a smart NIC's, whose switch is the host itself. */
const sufficient: readonly (readonly string[])[] = [
  ['port_id', 'switch_id'],
  ['port_id', 'hostname'],
  ['port_id', 'vtep-logical-switch', 'vtep-physical-switch'],
];

const datapathId = /^[0-9a-f]{16}$/i;

const wrong = (text: string): never => {
  throw new Refusal('INVALID_PARAMETER', `local_link_connection: ${text}`);
};

/** The switch port that a NIC is plugged into, checked, its switch_id in lower case (contract: other-resources.md §1). */
export function normaliseLocalLink(link: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(link)) checkEntry(key, value);
  if (!isComplete(link))
    wrong(`needs one of ${sufficient.map((row) => row.join(' + ')).join('; ')}; network_type "unmanaged".`);
  const switchId = link['switch_id'];
  return typeof switchId === 'string' ? { ...link, switch_id: switchId.toLowerCase() } : link;
}

/** A smart NIC names the host that it sits in (contract: other-resources.md §1). */
export function checkSmartNicLink(link: JsonObject): void {
  if (Object.keys(link).length === 0 || has(link, 'port_id', 'hostname')) return;
  wrong('a smart NIC needs port_id + hostname.');
}

function checkEntry(key: string, value: unknown): void {
  if (!keys.includes(key)) wrong(`unknown key "${key}".`);
  if (typeof value !== 'string') return wrong(`${key} must be a string.`);
  if (key === 'network_type' && value !== 'managed' && value !== 'unmanaged') {
    wrong(`network_type must be "managed" or "unmanaged", not "${value}".`);
  }
  if (key === 'switch_id' && !isMac(value) && !datapathId.test(value)) {
    wrong('switch_id must be a MAC address or an OpenFlow datapath id of 16 hex digits.');
  }
}

function isComplete(link: JsonObject): boolean {
  if (has(link, 'vtep-logical-switch') !== has(link, 'vtep-physical-switch')) return false;
  if (Object.keys(link).length === 0 || link['network_type'] === 'unmanaged') return true;
  return sufficient.some((row) => has(link, ...row));
}

const has = (link: JsonObject, ...names: readonly string[]): boolean =>
  names.every((name) => Object.hasOwn(link, name));
