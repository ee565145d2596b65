import { isObject, listAt } from '../introspection/json';
import type { JsonObject } from '../node/fields';

/** One element of what a switch tells: its type, and its value as bytes. */
export interface Tlv {
  readonly type: number;
  readonly bytes: readonly number[];
}

const TLVS_MAX = 256;

function tlvOf(value: unknown): Tlv | null {
  if (!Array.isArray(value)) return null;
  const [type, hex] = value as unknown[];
  if (!Number.isInteger(type) || typeof hex !== 'string' || !/^(?:[0-9a-f]{2})*$/i.test(hex)) return null;
  return { type: type as number, bytes: (hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16)) };
}

/** What the switch at a NIC tells: `lldp_raw[name]`, else the NIC's own `lldp` (contract: ramdisk.md). Up to its end mark. */
export function tlvsOf(pluginData: JsonObject, name: string, nic: JsonObject): readonly Tlv[] {
  const raw = isObject(pluginData['lldp_raw']) ? listAt(pluginData['lldp_raw'], name) : [];
  const told = (raw.length > 0 ? raw : listAt(nic, 'lldp')).slice(0, TLVS_MAX);
  const tlvs = told.map(tlvOf).filter((tlv) => tlv !== null);
  const end = tlvs.findIndex(({ type }) => type === 0);
  return end < 0 ? tlvs : tlvs.slice(0, end);
}

const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');
const macIn = (bytes: readonly number[]): string => bytes.map(hexOf).join(':');

/** UTF-8 without a platform, since rules have none. */
function decoded(bytes: readonly number[]): string {
  try {
    return decodeURIComponent(bytes.map((byte) => `%${hexOf(byte)}`).join(''));
  } catch {
    return bytes.map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd')).join('');
  }
}

/** Texts of a switch: control characters are none of them. */
export const textIn = (bytes: readonly number[]): string => decoded(bytes).replace(/\p{Cc}/gu, '');

export interface Identifier {
  readonly isMac: boolean;
  readonly text: string;
}

/** Chassis (1) and port (2) begin with a subtype: a MAC is 4 there and 3 here; everything else is told as a text. */
export function identifierIn({ type, bytes }: Tlv): Identifier | null {
  const [subtype, ...value] = bytes;
  if (subtype === undefined || value.length === 0) return null;
  const isMac = value.length === 6 && subtype === (type === 1 ? 4 : 3);
  return { isMac, text: isMac ? macIn(value) : textIn(value) };
}
