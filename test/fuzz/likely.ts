/** Values that go far: those which the rules behind the shape accept as well. */
import fc from 'fast-check';
import { macs, names, poolUuid, uuids } from './words';

/** Of nodes that are kept in stock. */
const nodes = fc.nat(7).map(poolUuid);
const traits = fc.array(fc.constantFrom('CUSTOM_FUZZ', 'CUSTOM_FUZZ_2', 'HW_CPU_X86_VMX'), { maxLength: 3 });
const links = fc.constantFrom(
  {},
  { port_id: 'Ethernet1', switch_id: '52:54:00:00:00:aa', switch_info: 'sw' },
  { port_id: 'p', hostname: 'h' },
  { network_type: 'unmanaged' },
);
const infos = fc.constantFrom(
  {},
  { password: 'secret' },
  { inspect_wait_timeout: 1 },
  { fake: { power: 'slow' } },
  { fake: { 'set boot mode': { fails: 'why' }, 'attach media': { fails: 'why' }, deploy: { waits: true } } },
  {
    fake: {
      bios: [{ name: 'BIOS', value: 1, min_length: null }],
      firmware: [{ component: 'bmc', current_version: 2 }],
    },
  },
  { nested: { auth_token: ['x', { secret: 'y' }] } },
);
/** Also those that wait and those that fail. */
const oneStep = fc.constantFrom(
  { interface: 'deploy', step: 'erase_devices' },
  { interface: 'power', step: 'reboot' },
  { interface: 'power', step: 'wait' },
  { interface: 'power', step: 'wait', args: { seconds: 1 } },
  { interface: 'deploy', step: 'hold' },
  { interface: 'deploy', step: 'erase_devices', args: { waits: true, abortable: false, password: 'secret' } },
  { interface: 'deploy', step: 'erase_devices', args: { fails: 'why' } },
);
const steps = fc.oneof(fc.array(oneStep, { maxLength: 3 }), fc.constant(null));
const interfaces = fc.constantFrom('fake', 'no-inspect', 'agent', 'noop', null);

/** By the name of the field or argument. */
const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  driver: fc.constantFrom('fake-hardware', 'fake-hardware', 'manual-management'),
  driver_name: fc.constant('fake-hardware'),
  address: macs,
  addresses: macs,
  node: nodes,
  node_uuid: nodes,
  chassis_uuid: fc.constantFrom(poolUuid(0), null),
  portgroup_uuid: fc.oneof(nodes, fc.constant(null)),
  parent_node: fc.oneof(nodes, fc.constant(null)),
  instance_uuid: fc.oneof(uuids, fc.constant(null)),
  candidate_nodes: fc.array(nodes, { maxLength: 3 }),
  resource_class: fc.constantFrom('fuzz', 'other'),
  traits,
  name: names,
  driver_info: infos,
  instance_info: infos,
  extra: infos,
  properties: fc.constantFrom({}, { cpus: 4, capabilities: 'boot_mode:uefi,a:b' }, { capabilities: '' }),
  network_data: fc.constantFrom({}, { links: [] }, { links: [{ id: 'a', type: 'phy' }], networks: [], services: [] }),
  local_link_connection: links,
  physical_network: fc.constantFrom('physnet1', null),
  conductor_group: fc.constantFrom('', 'rack-1'),
  owner: fc.constantFrom('project', null),
  configdrive: fc.constantFrom('aGVsbG8=', 'https://files.example/drive', { meta_data: {}, user_data: 'x' }, null),
  rescue_password: fc.constant('rescue me'),
  runbook: fc.constantFrom('CUSTOM_FUZZ', null),
  clean_steps: steps,
  service_steps: steps,
  deploy_steps: fc.constantFrom([{ interface: 'deploy', step: 'deploy', args: {}, priority: 50 }], null),
  boot_device: fc.constantFrom('pxe', 'disk'),
  callback_url: fc.constantFrom('https://192.0.2.1:9999', '', 'http://192.0.2.1'),
  agent_version: fc.constantFrom('11.0.0', '', 'x'),
  mac_address: macs,
  bmc_address: fc.constantFrom('192.0.2.7', '::1', null, 'bmc.example'),
  raid_config: fc.constant({ logical_disks: [{ size_gb: 10, raid_level: '1' }] }),
  logical_disks: fc.constantFrom([{ size_gb: 10, raid_level: '1' }], [{ size_gb: 'MAX', raid_level: '0' }]),
  volume_type: fc.constantFrom('iscsi', 'fibre_channel'),
  type: fc.constantFrom('iqn', 'wwpn', 'dynamic', 'classic'),
  id: uuids,
  step: fc.constantFrom('deploy', 'erase_devices', 'reboot', 'hold', 'wait', 'power_off'),
  op: fc.constantFrom('log', 'fail', 'set-attribute', 'eq', '!eq'),
  marker: nodes,
  fields: fc.constantFrom('uuid', 'name', 'extra', 'links'),
  provision_state: fc.constantFrom('enroll', 'manageable', 'available', 'active'),
  image_url: fc.constantFrom('https://images.example/x.iso', 'https://user:secret@images.example/x.iso', 'ftp://x'),
  method: fc.constantFrom('second_method', 'third_method_sync', 'fourth_method_shared_lock'),
  state: fc.constantFrom('on', 'off', 'blinking'),
  raid_level: fc.constantFrom('1', '0', '1+0', 'JBOD', 5),
  size_gb: fc.constantFrom(10, 'MAX'),
};

/** What the name says is mostly taken, else what the schema says. */
export function likely(name: string, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const known = Object.hasOwn(byName, name) ? byName[name] : name.endsWith('_interface') ? interfaces : undefined;
  return known === undefined ? otherwise : fc.oneof({ arbitrary: known, weight: 9 }, otherwise);
}
