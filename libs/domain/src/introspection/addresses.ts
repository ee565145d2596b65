const macPattern = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;

/** Lower-case form of an Ethernet address written with colons, else null (contract: ramdisk.md §6, MACs may be upper-case). */
export const normaliseMac = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return macPattern.test(text) ? text : null;
};

/** The PXE NIC's MAC from its plain or pxelinux form `01-aa-bb-cc-dd-ee-ff` (contract: inspection.md §7.1). */
export const pxeMacOf = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const plain = value.includes('-') ? value.split('-').slice(1).join(':') : value;
  return normaliseMac(plain);
};

/** Spellings with which a BMC says that it has no address (contract: inspector-api.md §3.7). */
const unset = new Set(['', '0.0.0.0', '::/0', '::']);

export const usableBmcAddresses = (...values: readonly unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && !unset.has(value));

const bmcKeys = ['ipmi_address', 'redfish_address', 'ilo_address', 'drac_host', 'drac_address', 'ibmc_address'];

/** Host of the BMC in driver_info, out of a URL where there is one; null when none is named (inspector-api.md §3.1). */
export const bmcHostOf = (driverInfo: Readonly<Record<string, unknown>>): string | null => {
  const named = bmcKeys.map((key) => driverInfo[key]).find((value) => typeof value === 'string' && value !== '');
  if (typeof named !== 'string') return null;
  const authority = named.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#]/)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const bracketed = /^\[([^\]]+)\]/.exec(host);
  if (bracketed) return bracketed[1] ?? null;
  const parts = host.split(':');
  return (parts.length === 2 ? parts[0] : host) || null;
};

export interface IpNumber {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

const ipv4Number = (text: string): bigint | null => {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return null;
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
};

const ipv6Number = (text: string): bigint | null => {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return null;
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
};

/** The address as a number, without its `%scope`; null when it is none. */
export const parseIp = (text: string): IpNumber | null => {
  const plain = text.split('%')[0] ?? '';
  const v4 = ipv4Number(plain);
  if (v4 !== null) return { bits: 32, value: v4 };
  const v6 = plain.includes(':') ? ipv6Number(plain) : null;
  return v6 === null ? null : { bits: 128, value: v6 };
};

export interface Network extends IpNumber {
  readonly prefix: number;
}

/** `192.0.2.0/24` or a single address; null when malformed. */
export const parseNetwork = (text: string): Network | null => {
  const [address = '', prefix, ...more] = text.split('/');
  const ip = parseIp(address);
  if (!ip || more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null;
  const length = prefix === undefined ? ip.bits : Number(prefix);
  return length <= ip.bits ? { ...ip, prefix: length } : null;
};

export const isInNetwork = (ip: IpNumber, network: Network): boolean => {
  const shift = BigInt(network.bits - network.prefix);
  return ip.bits === network.bits && ip.value >> shift === network.value >> shift;
};

const loopbacks = ['127.0.0.0/8', '::1'].map((text) => parseNetwork(text));

export const isLoopback = (text: string): boolean => {
  const ip = parseIp(text);
  return ip !== null && loopbacks.some((network) => network !== null && isInNetwork(ip, network));
};
