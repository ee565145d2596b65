import type { Bed } from './bed';

/** One of everything, made once. Tests that change or remove something make their own. */
export interface Things {
  readonly node: string;
  readonly nodeName: string;
  readonly chassis: string;
  readonly port: string;
  readonly portgroup: string;
  readonly connector: string;
  readonly target: string;
  readonly template: string;
  readonly runbook: string;
  readonly rule: string;
  readonly allocation: string;
  /** Belongs to the allocation. */
  readonly allocated: string;
  /** Has history. */
  readonly failed: string;
  readonly event: string;
  /** Was inspected. */
  readonly inspected: string;
  /** Told of a BIOS setting and of a firmware component. */
  readonly told: string;
  readonly trait: string;
  readonly conductor: string;
}

export const STEP = { interface: 'deploy', step: 'erase', args: {}, priority: 50 } as const;
export const RULE = { actions: [{ op: 'log', args: { msg: 'seen' } }] } as const;
export const TRAIT = 'CUSTOM_GATE';

export const inspectionData = (mac: string): object => ({
  inventory: { interfaces: [{ name: 'eth0', mac_address: mac }], cpu: { architecture: 'x86_64' }, bmc_address: null },
});

/** A node that waits for its ramdisk, and the MAC that it is known by. */
export async function waiting(bed: Bed): Promise<{ readonly node: string; readonly mac: string }> {
  const node = await bed.node({ inspect_interface: 'agent' });
  const { mac } = bed;
  await bed.port(node, { address: mac });
  await bed.provision(node, 'manage');
  await bed.provision(node, 'inspect');
  return { node, mac };
}

async function inspectedNode(bed: Bed): Promise<string> {
  const { node, mac } = await waiting(bed);
  await bed.must(202, 'POST', '/v1/continue_inspection', inspectionData(mac));
  return node;
}

/** A node whose deployment failed, and the entry of its history that tells so. */
async function failedNode(bed: Bed): Promise<readonly [node: string, event: string]> {
  const fake = { deploy: { fails: 'scripted' } };
  const node = await bed.led(['manage', 'provide', 'active'], { extra: { fake } });
  const { body } = await bed.must(200, 'GET', `/v1/nodes/${node}/history`);
  const [entry] = (body as { history: { uuid: string }[] }).history;
  return [node, String(entry?.uuid)];
}

export const SETTING = 'Virtualization';

/** The fake interfaces tell what the node's own script says, when it is managed. */
const toldNode = (bed: Bed): Promise<string> => {
  const bios = [{ name: SETTING, value: 'on', attribute_type: 'String' }];
  const firmware = [{ component: 'bmc', current_version: '1.2', vendor: 'V', model: 'M', serial_number: 'S' }];
  return bed.led(['manage'], { extra: { fake: { bios, firmware } } });
};

async function allocatedNode(bed: Bed): Promise<readonly [node: string, allocation: string]> {
  const node = await bed.led(['manage', 'provide', 'active']);
  const allocation = await bed.create('/v1/allocations', { node });
  return [node, allocation];
}

export async function makeThings(bed: Bed): Promise<Things> {
  const chassis = await bed.create('/v1/chassis', {});
  const node = await bed.node({ name: 'subject', chassis_uuid: chassis });
  await bed.must(202, 'PUT', `/v1/nodes/${node}/states/power`, { target: 'power off' });
  await bed.must(204, 'PUT', `/v1/nodes/${node}/traits`, { traits: [TRAIT] });
  const portgroup = await bed.create('/v1/portgroups', { node_uuid: node });
  const [failed, event] = await failedNode(bed);
  const [allocated, allocation] = await allocatedNode(bed);
  const runbook = await bed.create('/v1/runbooks', {
    name: TRAIT,
    steps: [{ interface: 'deploy', step: 'erase', order: 1 }],
  });
  await bed.must(204, 'PUT', `/v1/runbooks/${runbook}/traits`, { traits: [TRAIT] });
  const conductors = (await bed.must(200, 'GET', '/v1/conductors')).body as { conductors: { hostname: string }[] };
  return {
    node,
    nodeName: 'subject',
    chassis,
    port: await bed.port(node, { name: 'subject-port' }),
    portgroup,
    connector: await bed.create('/v1/volume/connectors', { node_uuid: node, type: 'iqn', connector_id: 'iqn.0' }),
    target: await bed.create('/v1/volume/targets', {
      node_uuid: node,
      volume_type: 'iscsi',
      boot_index: 0,
      volume_id: 'volume-0',
    }),
    template: await bed.create('/v1/deploy_templates', { name: TRAIT, steps: [STEP] }),
    runbook,
    rule: await bed.create('/v1/inspection_rules', RULE),
    allocation,
    allocated,
    failed,
    event,
    inspected: await inspectedNode(bed),
    told: await toldNode(bed),
    trait: TRAIT,
    conductor: String(conductors.conductors[0]?.hostname),
  };
}
