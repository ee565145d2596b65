import { isObject, type JsonObject, listAt, objectAt } from '../json';
import { invalid } from '../refusal';
import type { HookOptions } from './options';

/** CPU flag -> capability, in the order in which they are written (contract: inspection.md §7, cpu-capabilities). */
const flagCapabilities: readonly (readonly [flag: string, capability: string])[] = [
  ['vmx', 'cpu_vt'],
  ['svm', 'cpu_vt'],
  ['aes', 'cpu_aes'],
  ['pse', 'cpu_hugepages'],
  ['pdpe1gb', 'cpu_hugepages_1g'],
  ['smx', 'cpu_txt'],
];

/** `k:v,k2:v2` as a map. @throws InspectorRefusal INVALID when a part has no colon. */
export const parseCapabilities = (text: unknown): Map<string, string> => {
  if (text === undefined || text === null || text === '') return new Map();
  const pairs = String(text)
    .split(',')
    .map((part) => {
      const colon = part.indexOf(':');
      if (colon < 0) throw invalid(`capabilities: "${part}" is not of the form key:value`);
      return [part.slice(0, colon).trim(), part.slice(colon + 1).trim()] as const;
    });
  return new Map(pairs);
};

/** The string with these keys set; others stay where they are. */
export const withCapabilities = (text: unknown, added: Iterable<readonly [string, string]>): string => {
  const map = parseCapabilities(text);
  for (const [key, value] of added) map.set(key, value);
  return [...map].map(([key, value]) => `${key}:${value}`).join(',');
};

export const cpuCapabilities = (data: JsonObject): [string, string][] => {
  const flags = new Set(listAt(objectAt(objectAt(data, 'inventory'), 'cpu'), 'flags'));
  const names = flagCapabilities.filter(([flag]) => flags.has(flag)).map(([, capability]) => capability);
  return [...new Set(names)].map((name) => [name, 'true']);
};

export const pciCapabilities = (data: JsonObject, aliases: HookOptions['pciAliases']): [string, string][] => {
  const devices = listAt(data, 'pci_devices').filter(isObject);
  const count = (alias: HookOptions['pciAliases'][number]): number =>
    devices.filter((device) => device['vendor_id'] === alias.vendorId && device['product_id'] === alias.productId)
      .length;
  return aliases.map((alias) => [alias.name, String(count(alias))] as [string, string]).filter(([, n]) => n !== '0');
};
