import { isLoopback, parseIp, usableBmcAddresses } from '../introspection/addresses';
import { isMac } from '../port';

type Inventory = Readonly<Record<string, unknown>>;

/** MACs fit to find a node by, in lower case, each once; what is none is dropped (LKP-01, LKP-02). */
export const usableMacs = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter(isMac).map((mac) => mac.toLowerCase())),
];

const isObject = (value: unknown): value is Inventory =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Beyond this many a ramdisk is not looked for: no machine has as many NICs, and each is a key of a query. */
const NICS_MAX = 1000;

/** MACs of an inventory's NICs, usable or not; of the first thousand. */
export function macsIn({ interfaces }: Inventory): readonly unknown[] {
  const nics: readonly unknown[] = Array.isArray(interfaces) ? interfaces : [];
  return nics.slice(0, NICS_MAX).map((nic) => (isObject(nic) ? nic['mac_address'] : undefined));
}

/** No host name is longer. Anybody may post: what is none is neither looked for nor written into the service's log. */
const ADDRESS_CHARS_MAX = 255;

/** Addresses of the BMC that say something; loopback is everybody's (LKP-06, LKP-07). */
export const bmcAddressesIn = ({ bmc_address: v4, bmc_v6address: v6 }: Inventory): string[] =>
  usableBmcAddresses(v4, v6).filter((address) => address.length <= ADDRESS_CHARS_MAX && !isLoopback(address));

/** One form for all spellings of an address: `FD00:0::5` and `fd00::5` are one BMC (LKP-09). */
export function addressKey(address: string): string {
  const ip = parseIp(address);
  return ip ? `${ip.bits === 32 ? 'ip4' : 'ip6'}:${ip.value.toString(16)}` : address.toLowerCase();
}
