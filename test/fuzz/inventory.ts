/** Something to ask for: a few resources of each kind under the ids that requests use. What is there already stays. */
import { httpCall } from '../stack/http-call';
import { poolMac, poolUuid } from './words';

type Creation = readonly [path: string, body: Readonly<Record<string, unknown>>];

const NODES = 8;
const step = { interface: 'deploy', step: 'deploy', args: {}, priority: 50 };
const cleaning = { interface: 'deploy', step: 'erase_devices', order: 0 };

const node = (n: number): Creation => [
  'nodes',
  {
    uuid: poolUuid(n),
    name: `fuzz-${n}`,
    driver: 'fake-hardware',
    resource_class: 'fuzz',
    driver_info: { password: 'secret' },
  },
];

const partsOf = (n: number): Creation[] => [
  ['portgroups', { uuid: poolUuid(n), name: `fuzz-${n}`, node_uuid: poolUuid(n) }],
  ['ports', { uuid: poolUuid(n), name: `fuzz-${n}`, address: poolMac(n), node_uuid: poolUuid(n) }],
  ['volume/connectors', { uuid: poolUuid(n), node_uuid: poolUuid(n), type: 'iqn', connector_id: `iqn.fuzz:${n}` }],
  [
    'volume/targets',
    { uuid: poolUuid(n), node_uuid: poolUuid(n), volume_type: 'iscsi', boot_index: 0, volume_id: `v${n}` },
  ],
];

const creations: readonly Creation[] = [
  ['chassis', { uuid: poolUuid(0), description: 'fuzz' }],
  ...Array.from({ length: NODES }, (_, n) => node(n)),
  ...Array.from({ length: NODES / 2 }, (_, n) => partsOf(n)).flat(),
  ['deploy_templates', { uuid: poolUuid(0), name: 'CUSTOM_FUZZ', steps: [step] }],
  ['runbooks', { uuid: poolUuid(0), name: 'CUSTOM_FUZZ', steps: [cleaning] }],
  ['allocations', { uuid: poolUuid(0), name: 'fuzz-0', resource_class: 'fuzz' }],
  ['inspection_rules', { uuid: poolUuid(0), actions: [{ op: 'log', args: { msg: 'fuzz' } }] }],
];

const headers = { 'X-OpenStack-Ironic-API-Version': '1.115', 'Content-Type': 'application/json' };

/** States that the verbs lead to; in the others a request for them is refused, which does no harm. */
const verbs: readonly (readonly [number, string])[] = [
  [0, 'manage'],
  [1, 'manage'],
  [1, 'provide'],
  [2, 'manage'],
  [2, 'inspect'],
  [3, 'manage'],
  [3, 'provide'],
  [3, 'active'],
];

export async function stock(url: string): Promise<void> {
  for (const [path, body] of creations) {
    await httpCall(url, { method: 'POST', path: `/v1/${path}`, headers, body: JSON.stringify(body) });
  }
  for (const [n, target] of verbs) {
    const path = `/v1/nodes/${poolUuid(n)}/states/provision`;
    await httpCall(url, { method: 'PUT', path, headers, body: JSON.stringify({ target }) });
  }
}
