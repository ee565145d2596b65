import { isObject, textAt } from '../introspection/json';
import type { JsonObject } from '../node/fields';
import { isMac } from '../port';
import { identifierIn, textIn, tlvsOf } from './lldp';
import type { Tlv } from './lldp';
import { withFact } from './port-facts';
import type { Hook, Nic, Progress } from './types';

const CHASSIS = 1;
const PORT = 2;
const TTL = 3;
const PORT_DESCRIPTION = 4;
const SYSTEM_NAME = 5;
const SYSTEM_DESCRIPTION = 6;
const ORGANISATION = 127;

const of = (tlvs: readonly Tlv[], type: number): Tlv | undefined => tlvs.find((tlv) => tlv.type === type);

const identifier = (tlvs: readonly Tlv[], type: number) => {
  const tlv = of(tlvs, type);
  return tlv ? identifierIn(tlv) : null;
};

const text = (tlvs: readonly Tlv[], type: number): string | null => {
  const tlv = of(tlvs, type);
  return (tlv && textIn(tlv.bytes)) || null;
};

const told = (entries: readonly (readonly [string, unknown])[]): JsonObject =>
  Object.fromEntries(entries.filter(([, value]) => value !== null));

/** `local_link_connection` of the port; a chassis that is named by no MAC is no `switch_id` (contract: inspection.md §7). */
function localLinkOf(tlvs: readonly Tlv[]): JsonObject {
  const chassis = identifier(tlvs, CHASSIS);
  return told([
    ['switch_id', chassis?.isMac ? chassis.text : null],
    ['port_id', identifier(tlvs, PORT)?.text ?? null],
    ['switch_info', text(tlvs, SYSTEM_NAME)],
  ]);
}

/** What is known of switches already, by the NIC: a BMC tells it in words (contract: redfish.md §4, row 10). */
const knownIn = ({ pluginData }: Progress): ReadonlyMap<string, JsonObject> => {
  const { parsed_lldp: known } = pluginData;
  const entries = isObject(known) ? Object.entries(known) : [];
  return new Map(entries.filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
};

function localLinkIn(known: JsonObject): JsonObject {
  const chassis = textAt(known, 'switch_chassis_id');
  return told([
    ['switch_id', chassis && isMac(chassis) ? chassis : null],
    ['port_id', textAt(known, 'switch_port_id')],
    ['switch_info', textAt(known, 'switch_system_name')],
  ]);
}

export const localLinkConnection: Hook = {
  after: ['validate-interfaces'],
  main(progress) {
    const known = knownIn(progress);
    return (progress.nics?.all ?? []).reduce((before, nic) => {
      const tlvs = tlvsOf(before.pluginData, nic.name, nic);
      const localLink = tlvs.length > 0 ? localLinkOf(tlvs) : localLinkIn(known.get(nic.name) ?? {});
      return Object.keys(localLink).length === 0 ? before : withFact(before, nic, { localLink });
    }, progress);
  },
};

/** IEEE 802.1 (00-80-c2), subtype 1: the VLAN of frames without a tag. */
function untaggedVlan(tlvs: readonly Tlv[]): number | null {
  const vlan = tlvs.find(
    ({ type, bytes }) => type === ORGANISATION && bytes.slice(0, 4).join() === '0,128,194,1' && bytes.length === 6,
  );
  return vlan ? ((vlan.bytes[4] ?? 0) << 8) | (vlan.bytes[5] ?? 0) : null;
}

function ttlOf(tlvs: readonly Tlv[]): number | null {
  const [high, low] = of(tlvs, TTL)?.bytes ?? [];
  return high === undefined || low === undefined ? null : (high << 8) | low;
}

const parsed = (tlvs: readonly Tlv[]): JsonObject =>
  told([
    ['switch_chassis_id', identifier(tlvs, CHASSIS)?.text ?? null],
    ['switch_port_id', identifier(tlvs, PORT)?.text ?? null],
    ['switch_ttl', ttlOf(tlvs)],
    ['switch_port_description', text(tlvs, PORT_DESCRIPTION)],
    ['switch_system_name', text(tlvs, SYSTEM_NAME)],
    ['switch_system_description', text(tlvs, SYSTEM_DESCRIPTION)],
    ['switch_port_untagged_vlan_id', untaggedVlan(tlvs)],
  ]);

const NICS_MAX = 64;

const nicsIn = ({ inventory }: { readonly inventory: JsonObject }): readonly Nic[] =>
  Array.isArray(inventory['interfaces']) ? (inventory['interfaces'] as Nic[]) : [];

/** `plugin_data.parsed_lldp`, for the first 64 NICs of which a switch told something; what is there already stays. */
export const parseLldp: Hook = {
  after: [],
  main(progress, input): Progress {
    const named = nicsIn(input).filter((nic) => typeof nic?.name === 'string' && nic.name !== '');
    const heard = named
      .map((nic) => [nic.name, parsed(tlvsOf(progress.pluginData, nic.name, nic))] as const)
      .filter(([, switchAt]) => Object.keys(switchAt).length > 0);
    const entries = [...new Map([...knownIn(progress), ...heard])];
    const pluginData = { ...progress.pluginData, parsed_lldp: Object.fromEntries(entries.slice(0, NICS_MAX)) };
    if (entries.length <= NICS_MAX) return { ...progress, pluginData };
    const text = `parse-lldp: what switches tell is kept for ${NICS_MAX} of ${entries.length} NICs`;
    return { ...progress, pluginData, warnings: [...progress.warnings, text] };
  },
};
