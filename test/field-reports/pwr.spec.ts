/** Reports on power and on cleaning up after a failure, against a BMC of our own. */
import { openHardwareRegistry } from '@lib/adapters/hardware-registry';
import { systemChance } from '@lib/adapters/system-clock';
import type { Clock } from '@lib/ports';
import { aMachine, bmcAccount, RedfishBmc } from '@lib/testing/redfish-bmc';
import type { BmcMachine } from '@lib/testing/redfish-bmc';
import { PREFIX, Whole, type Client, type Values } from '../whole';
import { hardware } from './bmc-hardware';
import { expectSoundEnd } from './row';

const MAC = '52:54:00:00:00:01';
const reset = /ComputerSystem\.Reset$/;

let whole: Whole;
let api: Client;
let bmc: RedfishBmc;

async function start(
  machine: Partial<BmcMachine> = {},
  settings: Values = {},
  inspector: Values[string] = {},
): Promise<void> {
  const enabled = { enabled_hardware_types: 'redfish,fake-hardware', enabled_inspect_interfaces: 'redfish,agent,fake' };
  const conductor = { power_state_change_timeout: 86_400, soft_power_off_timeout: 86_400, ...settings['conductor'] };
  let clock: Clock | null = null;
  whole = await Whole.start({
    settings: { ...settings, DEFAULT: enabled, conductor, inspector: { require_managed_boot: false, ...inspector } },
    hardware: (of, bus, logger) => {
      clock = of;
      return openHardwareRegistry({ bus, prefix: PREFIX, settings: hardware, clock: of, chance: systemChance, logger });
    },
  });
  if (!clock) throw new Error('the conductor asked for no hardware');
  bmc = await RedfishBmc.start({ machines: [aMachine(machine)], clock });
  api = await whole.api();
}

afterEach(async () => {
  await expectSoundEnd(whole);
  await bmc.stop();
});

const driverInfo = () => ({
  redfish_address: bmc.url,
  redfish_system_id: '/redfish/v1/Systems/1',
  redfish_username: bmcAccount.username,
  redfish_password: bmcAccount.password,
});

/** Verified by its BMC, with one port. */
async function managed(inspect: 'agent' | 'redfish' | 'fake' = 'agent'): Promise<string> {
  const fields = { driver: 'redfish', driver_info: driverInfo(), boot_interface: 'ipxe' };
  const uuid = await api.machine({ inspect, mac: MAC, fields });
  await become(uuid, { provision_state: 'manageable', reservation: null });
  return uuid;
}

/** Lets time pass until the node is so. */
const become = (uuid: string, wanted: Readonly<Record<string, unknown>>): Promise<void> =>
  whole.until(
    JSON.stringify(wanted),
    async () => {
      const node = (await api.node(uuid)) as Record<string, unknown>;
      return Object.entries(wanted).every(([key, value]) => node[key] === value);
    },
    250,
  );

const resets = () => bmc.asked('POST', reset).map(({ body }) => body['ResetType']);

describe('PWR-05: a BMC that fails is asked again, with a limit', () => {
  it('two failures of three do not end the inspection', async () => {
    await start({ power: 'On' });
    const uuid = await managed();
    bmc.faults.add({ path: reset, times: 2, fault: { kind: 'status', status: 500, message: 'Fan failure.' } });
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'inspect wait' });
    expect(resets()).toEqual(['ForceOff', 'ForceOff', 'ForceOff', 'On']);
    expect(bmc.machine().boot.target).toBe('Pxe');
    expect(bmc.machine().power).toBe('On');
  });

  it('failures without end do, and the text has the reason and the number of tries', async () => {
    await start({ power: 'On' });
    const uuid = await managed();
    bmc.faults.add({ path: reset, fault: { kind: 'status', status: 500, message: 'Fan failure.' } });
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'inspect failed' });
    expect((await api.node(uuid)).last_error).toMatch(/start inspection.*500 Fan failure\. \(5 tries\)/);
    // What became of the machine all the same is looked at before it is given up.
    const asked = bmc.requests.map(({ method, path }) => `${method} ${path}`);
    const behindTries = asked.filter((_, index) => reset.test(asked[index - 1] ?? ''));
    expect(behindTries.length).toBeGreaterThanOrEqual(5);
    expect(new Set(behindTries)).toEqual(new Set(['GET /redfish/v1/Systems/1']));
  });

  it('a power change tells the same, and leaves the state that is known', async () => {
    await start({ power: 'Off' });
    const uuid = await managed();
    bmc.faults.add({ path: reset, fault: { kind: 'status', status: 500, message: 'Fan failure.' } });
    await api.power(uuid, 'power on');
    await become(uuid, { target_power_state: null, reservation: null });
    expect(await api.node(uuid)).toMatchObject({
      power_state: 'power off',
      last_error: expect.stringMatching(/500 Fan failure\. \(5 tries\)/),
    });
  });
});

describe('PWR-06: a refusal counts as done where the machine gets there', () => {
  it.each([400, 409])('%i, a moment before it is off', async (status) => {
    await start({ power: 'On', powerDelayMs: 1000 });
    const uuid = await managed();
    bmc.faults.add({ path: reset, fault: { kind: 'status', status, carriesOut: true } });
    await api.power(uuid, 'power off');
    await become(uuid, { power_state: 'power off', target_power_state: null });
    expect((await api.node(uuid)).last_error).toBeNull();
    expect(resets()).toEqual(['ForceOff']);
  });
});

it('PWR-07: a machine that is off already loses its token all the same', async () => {
  await start({ power: 'On' });
  const uuid = await managed();
  await api.inspect(uuid);
  await become(uuid, { provision_state: 'inspect wait' });
  const first = await api.token(uuid);
  expect(first).not.toMatch(/^\*+$/);
  bmc.machine().power = 'Off';
  expect(
    (await whole.during(api.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' }))).answer.status,
  ).toBe(202);
  await become(uuid, { provision_state: 'inspect failed', power_state: 'power off', target_power_state: null });
  expect(resets()).toEqual(['ForceOff', 'On']);
  await api.inspect(uuid);
  await become(uuid, { provision_state: 'inspect wait' });
  const second = await api.token(uuid);
  expect(second).not.toMatch(/^\*+$/);
  expect(second).not.toBe(first);
});

describe('PWR-08: what is not ours to switch is not switched', () => {
  it('an inspection out of band only reads', async () => {
    await start({ power: 'On' });
    const uuid = await managed('redfish');
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'manageable', reservation: null });
    expect(bmc.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/Sessions'))).toEqual([]);
    expect(bmc.machine().power).toBe('On');
  });

  it('nor is a machine that its inspector boots, however that ends', async () => {
    whole = await Whole.start({ settings: { inspector: { status_check_period: 1 } } });
    bmc = await RedfishBmc.start({ machines: [], clock: whole.clock });
    api = await whole.api();
    const ways = { manageable: null, 'inspect failed': 'no disks' };
    for (const [state, error] of Object.entries(ways)) {
      const uuid = await api.waiting({ inspect: 'inspector' });
      const startedAt = whole.clock.now();
      whole.script.play('report', () => ({ state: 'ended', startedAt, error, data: null }));
      await whole.pass(2_000);
      expect(await api.state(uuid)).toBe(state);
      expect(whole.script.calls('power', uuid)).toEqual([]);
    }
  });

  it('nor is the machine of a node whose inspection needs no BMC', async () => {
    await start({ power: 'On' });
    const uuid = await api.machine({ inspect: 'fake', fields: { extra: {} } });
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'manageable' });
    expect(await api.endings(uuid)).toEqual(['InspectionFinished']);
    expect(bmc.requests).toEqual([]);
  });
});

it('PWR-09: the cause comes first, and what went wrong with cleaning up after it', async () => {
  await start({ power: 'On' }, { conductor: { inspect_wait_timeout: 60 } });
  const uuid = await managed();
  await api.inspect(uuid);
  await become(uuid, { provision_state: 'inspect wait' });
  bmc.faults.add({ path: reset, fault: { kind: 'status', status: 500, message: 'Fan failure.' } });
  await become(uuid, { provision_state: 'inspect failed' });
  await whole.until(
    'the end of the clean-up',
    async () => String((await api.node(uuid)).last_error).includes('Fan failure'),
    250,
  );
  expect((await api.node(uuid)).last_error).toMatch(/^[^]*timeout reached[^]*Also: [^]*500 Fan failure\. \(5 tries\)/i);
  expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
});

describe('LCK-06: a BMC that says nothing holds nobody up', () => {
  it('neither maintenance, nor removal, nor another machine', async () => {
    await start({ power: 'On' });
    const uuid = await managed('redfish');
    bmc.faults.add({ path: /Systems\/1$/, fault: { kind: 'hang' } });
    await api.inspect(uuid);
    const other = await api.machine({ inspect: 'fake' });
    expect((await api.power(other, 'power on')).status).toBe(202);
    expect(await api.node(other)).toMatchObject({ power_state: 'power on', reservation: null });
    expect((await api.call('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'dead BMC' })).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'inspecting', maintenance: true });
    expect((await api.call('DELETE', `/v1/nodes/${uuid}`)).status).toBe(204);
    await whole.pass(10_000);
    expect(await api.endings(uuid)).toEqual(['InspectionRemoved']);
  });
});

describe('LCK-05: a BMC that takes 20 s for an answer does not hold up who writes to the node', () => {
  const STREAK_MS = 2000;
  const extra = (value: number) => [{ op: 'add', path: '/extra/a', value }];

  /** Writes once a second of the 20 that the BMC takes: the longest time of refusals in a row, and what was answered. */
  async function writing(uuid: string): Promise<{ readonly streakMs: number; readonly statuses: readonly number[] }> {
    const statuses: number[] = [];
    let streakMs = 0;
    let refusedSince: number | null = null;
    for (let second = 0; second < 18; second += 1) {
      const at = whole.clock.now();
      const { answer } = await whole.during(api.send('PATCH', `/v1/nodes/${uuid}`, extra(second)));
      statuses.push(answer.status);
      refusedSince = answer.status === 409 ? (refusedSince ?? at) : null;
      if (refusedSince !== null) streakMs = Math.max(streakMs, whole.clock.now() - refusedSince);
      await whole.pass(1000);
    }
    return { streakMs, statuses };
  }

  const asks = {
    'a power change': (uuid: string) => api.power(uuid, 'power on'),
    'a boot mode': (uuid: string) => api.send('PUT', `/v1/nodes/${uuid}/states/boot_mode`, { target: 'bios' }),
  };

  it.each(Object.entries(asks))('in the middle of %s', async (_, ask) => {
    await start({ power: 'Off' });
    const uuid = await managed();
    for (const method of ['POST', 'PATCH']) {
      bmc.faults.add({ method, path: /Systems\/1/, times: 1, fault: { kind: 'slow', ms: 20_000 } });
    }
    const asked = ask(uuid);
    await whole.until('the node is held', async () => (await api.node(uuid)).reservation !== null, 250);
    const { streakMs, statuses } = await writing(uuid);
    expect((await api.node(uuid)).reservation).not.toBeNull();
    expect(streakMs).toBeLessThan(STREAK_MS);
    expect(statuses.every((status) => status === 200)).toBe(true);
    await become(uuid, { reservation: null });
    expect((await whole.during(asked)).answer.status).toBeLessThan(300);
    expect((await api.node(uuid)).extra).toEqual({ a: 17 });
  });
});

describe('inspection by ramdisk of a machine whose BMC lists its NICs', () => {
  const portsOf = async (uuid: string): Promise<[string, boolean][]> => {
    const { ports } = (await api.call('GET', `/v1/nodes/${uuid}/ports/detail`)).body as {
      ports: { address: string; pxe_enabled: boolean }[];
    };
    return ports.map(({ address, pxe_enabled }): [string, boolean] => [address, pxe_enabled]).sort();
  };
  const nics = [
    { id: 'NIC1', mac: MAC },
    { id: 'NIC2', mac: '52:54:00:AB:01:02' },
    { id: 'NIC3', mac: '52:54:00:AB:01:03', state: 'Disabled' },
    { id: 'NIC4', mac: '52:54:00:AB:01:04', health: 'Critical' },
    { id: 'NIC5', mac: '' },
  ];

  it('makes ports of those that work before it boots the machine', async () => {
    await start({ power: 'On', nics });
    const uuid = await managed();
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'inspect wait' });
    expect(await portsOf(uuid)).toEqual([
      [MAC, true],
      ['52:54:00:ab:01:02', true],
    ]);
  });

  it('makes none where the settings say so', async () => {
    await start({ power: 'On', nics }, {}, { pre_create_ports: false });
    const uuid = await managed();
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'inspect wait' });
    expect(await portsOf(uuid)).toEqual([[MAC, true]]);
  });
});

describe('inspection out of band, over the API', () => {
  it('goes from inspecting to manageable and never waits, with properties, ports and inventory [1.31]', async () => {
    await start({ power: 'On' });
    const fields = { driver: 'redfish', driver_info: driverInfo(), properties: { capabilities: 'rack:7' } };
    const uuid = await api.machine({ inspect: 'redfish', fields });
    await become(uuid, { provision_state: 'manageable', reservation: null, power_state: 'power on' });
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'manageable', reservation: null });
    const node = await api.node(uuid);
    expect(node).toMatchObject({ last_error: null, inspection_started_at: null });
    expect(node.properties).toEqual({
      capabilities: 'rack:7,boot_mode:uefi',
      cpu_arch: 'x86_64',
      memory_mb: 65536,
      local_gb: 479,
    });
    expect(node.driver_info.redfish_password).toBe('******');
    expect((await api.events(uuid)).map(({ type }) => type)).not.toContain('InspectionWaiting');
    expect((await api.inventory(uuid)).body.inventory.cpu).toMatchObject({ count: 64, frequency: '3700' });
    const { ports } = (await api.call('GET', `/v1/nodes/${uuid}/ports/detail`)).body as {
      ports: { address: string; pxe_enabled: boolean }[];
    };
    expect(ports.map(({ address, pxe_enabled }) => [address, pxe_enabled]).sort()).toEqual([
      ['52:54:00:ab:01:01', false],
      ['52:54:00:ab:01:02', false],
    ]);
  });

  it('fails with the words of the BMC, and leaves the properties that were known; what it read is kept', async () => {
    await start({ odd: { MemorySummary: undefined } });
    const uuid = await managed('redfish');
    await api.inspect(uuid);
    await become(uuid, { provision_state: 'inspect failed' });
    expect(await api.node(uuid)).toMatchObject({
      properties: {},
      last_error: expect.stringContaining('memory_mb'),
      target_provision_state: 'manageable',
    });
    expect((await api.history(uuid)).map(({ event_type }) => event_type)).toEqual(['introspection']);
    expect((await api.inventory(uuid)).body.inventory.cpu).toMatchObject({ count: 64 });
  });

  it('can not be aborted', async () => {
    await start();
    const uuid = await managed('redfish');
    bmc.faults.add({ path: /Systems\/1$/, times: 1, fault: { kind: 'slow', ms: 60_000 } });
    await api.inspect(uuid);
    const { answer } = await whole.during(api.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' }));
    expect(answer.status).toBe(409);
    await become(uuid, { provision_state: 'manageable', reservation: null });
    expect(await api.endings(uuid)).toEqual(['InspectionFinished']);
  });
});

describe('a node of the type redfish, over the API', () => {
  it('with bad values in driver_info is not inspected, and says why when it is validated', async () => {
    await start();
    const info = { ...driverInfo(), redfish_auth_type: 'kerberos' };
    const uuid = await api.machine({ inspect: 'redfish', fields: { driver: 'redfish', driver_info: info } });
    await become(uuid, { reservation: null });
    const { body } = await api.must(200, 'GET', `/v1/nodes/${uuid}/validate`);
    const refused = { result: false, reason: expect.stringContaining('redfish_auth_type') };
    expect(body).toMatchObject({ power: refused, management: refused, inspect: refused });
    const answer = await api.power(uuid, 'power on');
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('redfish_auth_type')]);
  });

  it('shows and sets its boot device, boot mode and secure boot', async () => {
    await start({ power: 'On' });
    const uuid = await managed('redfish');
    const path = `/v1/nodes/${uuid}/management/boot_device`;
    const timed = async (asked: Promise<{ status: number; body: unknown }>) => (await whole.during(asked, 2)).answer;
    expect(await timed(api.send('PUT', path, { boot_device: 'disk', persistent: true }))).toMatchObject({
      status: 204,
    });
    expect(bmc.machine().boot).toMatchObject({ target: 'Hdd', enabled: 'Continuous' });
    bmc.machine().boot = { target: 'Cd', enabled: 'Once', mode: 'UEFI' };
    expect((await timed(api.send('GET', path))).body).toEqual({ boot_device: 'cdrom', persistent: false });
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/boot_mode`, { target: 'bios' });
    await become(uuid, { boot_mode: 'bios', reservation: null });
    expect(bmc.machine().boot.mode).toBe('Legacy');
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/secure_boot`, { target: true });
    await become(uuid, { secure_boot: true, reservation: null });
    expect(bmc.machine().secureBoot?.enabled).toBe(true);
    expect((await timed(api.send('PUT', `/v1/nodes/${uuid}/management/inject_nmi`, {}))).status).toBe(204);
    expect(resets()).toEqual(['Nmi']);
  });

  it('is listed with its interfaces and properties', async () => {
    await start();
    const { body } = await api.must(200, 'GET', '/v1/drivers/redfish');
    expect(body).toMatchObject({ default_power_interface: 'redfish', default_inspect_interface: 'redfish' });
    expect((await api.must(200, 'GET', '/v1/drivers/redfish/properties')).body).toHaveProperty('redfish_address');
  });
});
