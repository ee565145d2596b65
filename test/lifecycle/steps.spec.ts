/** Steps of fake hardware that can be seen, over the API. contract: node-api.md §10, §12, §17, §18; config.md */
import { fakeDeploy, fakeParts, fakePower, fakeRaid, fakeRescue } from '@lib/adapters/hardware-fake';
import type { HardwareRegistry } from '@lib/ports';
import { expectSoundEnd } from '../field-reports/row';
import { Script } from '../world';
import { scriptedHardware } from '../world/scripted-hardware';
import { Whole, type Client } from '../whole';

let whole: Whole;
let api: Client;

beforeAll(async () => {
  whole = await Whole.start({
    hardware: (clock): HardwareRegistry => ({
      ...scriptedHardware(new Script(), clock),
      lifecycle: (kind) => (kind === 'deploy' ? fakeDeploy : fakeRescue),
      parts: (kind) => fakeParts[kind],
      raid: () => fakeRaid,
      power: () => fakePower,
    }),
  });
  api = await whole.api();
});

afterAll(() => expectSoundEnd(whole));

const ask = (uuid: string, body: object) => api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, body);
const clean = (uuid: string, ...clean_steps: object[]) => ask(uuid, { target: 'clean', clean_steps });
const step = (by: string, name: string, args?: object) => ({ interface: by, step: name, ...(args ? { args } : {}) });

it('steps of BIOS and firmware change what the machine tells of its parts', async () => {
  const fake = {
    bios: [{ name: 'Boot', value: 'uefi' }],
    firmware: [{ component: 'bmc', current_version: '1.0' }],
  };
  const uuid = await api.machine({ fields: { extra: { fake } } });
  const bios = async () => (await api.must(200, 'GET', `/v1/nodes/${uuid}/bios`)).body.bios as object[];
  expect(await bios()).toMatchObject([{ name: 'Boot', value: 'uefi', updated_at: null }]);
  const settings = [
    { name: 'Boot', value: 'bios' },
    { name: 'Cores', value: '4' },
  ];
  const flash = { settings: [{ component: 'bmc', url: 'https://files.example/bmc-2.0.bin' }] };
  await clean(uuid, step('bios', 'apply_configuration', { settings }), step('firmware', 'update', flash));
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  expect(await bios()).toMatchObject([
    { name: 'Boot', value: 'bios', updated_at: expect.any(String) },
    { name: 'Cores', value: '4', updated_at: null },
  ]);
  expect((await api.must(200, 'GET', `/v1/nodes/${uuid}/firmware`)).body.firmware).toMatchObject([
    { component: 'bmc', initial_version: '1.0', current_version: 'bmc-2.0', last_version_flashed: 'bmc-2.0' },
  ]);
  await clean(uuid, step('bios', 'factory_reset'));
  expect(await bios()).toMatchObject([{ name: 'Boot', value: 'uefi' }]);
});

it('steps of RAID make what is wanted, and take it away again', async () => {
  const uuid = await api.machine();
  const wanted = { logical_disks: [{ size_gb: 100, raid_level: '1', is_root_volume: true, volume_name: 'system' }] };
  await api.must(204, 'PUT', `/v1/nodes/${uuid}/states/raid`, wanted);
  expect(await api.node(uuid)).toMatchObject({ raid_config: {}, target_raid_config: wanted });
  await clean(uuid, step('raid', 'create_configuration'));
  expect(await api.node(uuid)).toMatchObject({ raid_config: wanted, target_raid_config: wanted });
  const { body } = await api.must(200, 'GET', `/v1/nodes/${uuid}/states`);
  expect(body).toMatchObject({ raid_config: wanted });
  await clean(uuid, step('raid', 'delete_configuration'));
  expect(await api.node(uuid)).toMatchObject({ raid_config: {}, target_raid_config: wanted });
});

it('a cleaning that fails sets maintenance with its fault, which goes when maintenance does', async () => {
  const uuid = await api.machine();
  await clean(uuid, step('raid', 'create_configuration'));
  const lastError = 'Manual cleaning failed: step raid.create_configuration failed: the node has no target_raid_config';
  expect(await api.node(uuid)).toMatchObject({
    provision_state: 'clean failed',
    last_error: lastError,
    maintenance: true,
    maintenance_reason: lastError,
    fault: 'clean failure',
  });
  const { body } = await api.must(200, 'GET', '/v1/nodes?fault=clean%20failure');
  expect(body.nodes.map((one: { uuid: string }) => one.uuid)).toEqual([uuid]);
  await ask(uuid, { target: 'manage' });
  const wanted = { target: 'clean', clean_steps: [step('raid', 'delete_configuration')] };
  const { status, text } = await api.call('PUT', `/v1/nodes/${uuid}/states/provision`, wanted);
  expect([status, text]).toEqual([400, expect.stringContaining('maintenance')]);
  await api.must(202, 'DELETE', `/v1/nodes/${uuid}/maintenance`);
  expect(await api.node(uuid)).toMatchObject({ maintenance: false, maintenance_reason: null, fault: null });
  await ask(uuid, wanted);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
});

it('automated cleaning takes the steps of the hardware by their priority, and the history tells of it', async () => {
  const uuid = await api.machine();
  await ask(uuid, { target: 'provide' });
  await ask(uuid, { target: 'active' });
  await ask(uuid, { target: 'deleted' });
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'available', clean_step: {} });
  const names = 'deploy.erase_devices_metadata, deploy.erase_devices';
  const cleaning = [`Automated cleaning started, 2 steps: ${names}`, 'Automated cleaning finished, 2 steps taken'];
  expect((await api.history(uuid)).map(({ event }) => event)).toEqual([
    ...cleaning,
    'Deployment started, 1 step: deploy.deploy',
    'Deployment finished, 1 step taken',
    ...cleaning,
  ]);
  const { body } = await api.must(200, 'GET', `/v1/nodes/${uuid}/history`);
  expect(new Set(body.history.map((one: { severity: string }) => one.severity))).toEqual(new Set(['INFO']));
});

it('automated cleaning shows the step that fails, and its failure in the history', async () => {
  const fake = { clean: { fails: 'no disk' } };
  const uuid = await api.machine({ fields: { extra: { fake } } });
  await ask(uuid, { target: 'provide' });
  const error = 'Automated cleaning failed: step deploy.erase_devices_metadata failed: no disk';
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'clean failed', last_error: error });
  expect((await api.history(uuid)).map(({ event }) => event)).toEqual([expect.stringContaining('started'), error]);
});

describe('a step for child nodes', () => {
  const family = async (): Promise<{ parent: string; children: string[] }> => {
    const parent = await api.machine();
    const child = (extra: object = {}) => api.machine({ fields: { parent_node: parent, ...extra } });
    return { parent, children: [await child(), await child()] };
  };
  const onChildren = (name: string, more: object = {}) => ({
    ...step('power', name),
    execute_on_child_nodes: true,
    ...more,
  });
  const powers = (uuids: string[]) =>
    Promise.all(uuids.map(async (uuid) => ((await api.node(uuid)) as { power_state: unknown }).power_state));
  const settled = async (uuid: string): Promise<void> => {
    for (let tries = 0; tries < 20 && (await api.state(uuid)) === 'cleaning'; tries += 1) {
      await whole.clock.advanceBy(500);
    }
  };

  it('is taken on all of them, and not on their parent', async () => {
    const { parent, children } = await family();
    await clean(parent, onChildren('power_on'));
    await settled(parent);
    expect(await api.node(parent)).toMatchObject({ provision_state: 'manageable', power_state: null });
    expect(await powers(children)).toEqual(['power on', 'power on']);
    expect(await api.events(children[0]!, 'PowerChanged')).toHaveLength(1);
  });

  it('is taken on those that it names, and on nobody else', async () => {
    const { parent, children } = await family();
    await clean(parent, onChildren('power_off', { limit_child_node_execution: [children[1]] }));
    await settled(parent);
    expect(await powers([parent, ...children])).toEqual([null, null, 'power off']);
    await clean(parent, onChildren('power_off', { limit_child_node_execution: [parent] }));
    await settled(parent);
    expect((await api.node(parent)).last_error).toContain(`${parent} is no child of the node`);
  });

  it('fails with the child that fails, and those after it are left alone', async () => {
    const { parent, children } = await family();
    await api.must(200, 'PATCH', `/v1/nodes/${children[0]}`, [{ op: 'add', path: '/disable_power_off', value: true }]);
    await clean(parent, onChildren('power_off'));
    await settled(parent);
    const { provision_state, last_error } = await api.node(parent);
    expect([provision_state, last_error]).toEqual([
      'clean failed',
      `Manual cleaning failed: step power.power_off failed: child node ${children[0]}: Node ${children[0]} has power off disabled.`,
    ]);
    expect(await powers(children)).toEqual([null, null]);
  });

  it('is one of power; any other is refused to be taken', async () => {
    const { parent } = await family();
    await clean(parent, { ...step('raid', 'delete_configuration'), execute_on_child_nodes: true });
    await settled(parent);
    expect((await api.node(parent)).last_error).toContain('raid.delete_configuration is no step for child nodes');
  });
});
