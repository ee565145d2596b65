import { isObject, type JsonObject, objectAt } from '../json';
import { normaliseMac } from '../addresses';
import { invalid } from '../refusal';
import { dice } from './dice';
import type { MachineFacts } from './machine-facts';

/** In what a scripted ramdisk's data differs from that of its machine, and how it is sent (contract: ramdisk.md §8). */
export interface BodyWish {
  /** `own`: those of the node's ports; `wrong`: nobody's; or these. */
  readonly macs: 'own' | 'wrong' | readonly string[];
  /** Undefined: the machine's own. */
  readonly bmcAddress: string | null | undefined;
  /** False: the inventory names no interface at all. */
  readonly interfaces: boolean;
  /** Size of the logs; null: as the machine has them. */
  readonly logsBytes: number | null;
  /** How long the sending takes. */
  readonly overMs: number;
}

export const plainBody: BodyWish = {
  macs: 'own',
  bmcAddress: undefined,
  interfaces: true,
  logsBytes: null,
  overMs: 0,
};

const keys: readonly string[] = ['macs', 'bmc_address', 'interfaces', 'logs', 'over'];
/** The body has to fit into a message of the bus, 64 MiB. */
const LOGS_MIB_MAX = 60;
const OVER_S_MAX = 3600;
const MIB = 1024 * 1024;

const bad = (key: string, wanted: string): Error => invalid(`extra.simulator.body.${key} must be ${wanted}`);

const macsOf = (value: unknown): BodyWish['macs'] => {
  if (value === undefined || value === 'own') return 'own';
  if (value === 'wrong') return 'wrong';
  const macs = Array.isArray(value) ? value.map(normaliseMac) : [null];
  if (macs.every((mac) => mac !== null)) return macs;
  throw bad('macs', '"own", "wrong" or a list of MAC addresses');
};

const bmcOf = (value: unknown): string | null | undefined => {
  if (value === undefined || value === null || typeof value === 'string') return value;
  throw bad('bmc_address', 'a text or null');
};

const interfacesOf = (value: unknown): boolean => {
  if (value === undefined || value === 'own') return true;
  if (value === 'none') return false;
  throw bad('interfaces', '"own" or "none"');
};

const numberOf = (value: unknown, key: string, max: number, unit: string): number | null => {
  if (value === undefined) return null;
  if (typeof value === 'number' && value >= 0 && value <= max) return value;
  throw bad(key, `a number of ${unit}, 0 to ${max}`);
};

/** `body` of `extra.simulator`. @throws InspectorRefusal INVALID naming what is wrong */
export const bodyWishOf = (value: unknown): BodyWish => {
  if (value === undefined || value === null) return plainBody;
  if (!isObject(value)) throw invalid('extra.simulator.body must be an object');
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalid(`extra.simulator.body.${unknown} is not one of ${keys.join(', ')}`);
  const logs = numberOf(value['logs'], 'logs', LOGS_MIB_MAX, 'MiB');
  return {
    macs: macsOf(value['macs']),
    bmcAddress: bmcOf(value['bmc_address']),
    interfaces: interfacesOf(value['interfaces']),
    logsBytes: logs === null ? null : Math.round(logs * MIB),
    overMs: Math.round((numberOf(value['over'], 'over', OVER_S_MAX, 'seconds') ?? 0) * 1000),
  };
};

/** Locally administered as an invented one, of another kind: nobody has it. */
const nobodysMac = (uuid: string, index: number): string => {
  const roll = dice(`${uuid}/nobody/${index}`);
  const octets = Array.from({ length: 5 }, () => Math.floor(roll() * 256));
  return ['06', ...octets.map((octet) => octet.toString(16).padStart(2, '0'))].join(':');
};

/** The machine as its data is to show it. The NIC that it booted from is its own only with its own MACs. */
export const factsFor = (wish: BodyWish, machine: MachineFacts): MachineFacts => {
  const bmcAddress = wish.bmcAddress === undefined ? machine.bmcAddress : wish.bmcAddress;
  if (wish.macs === 'own') return { ...machine, bmcAddress };
  const count = Math.max(1, machine.macs.length);
  const macs = wish.macs === 'wrong' ? Array.from({ length: count }, (_, i) => nobodysMac(machine.uuid, i)) : wish.macs;
  return { ...machine, macs, bmcAddress, bootif: null };
};

/** A machine's data as the script wants it. */
export const asWished = (wish: BodyWish, payload: JsonObject): JsonObject => ({
  ...payload,
  ...(wish.interfaces ? {} : { inventory: { ...objectAt(payload, 'inventory'), interfaces: [] } }),
  ...(wish.logsBytes === null ? {} : { logs: 'A'.repeat(wish.logsBytes) }),
});
