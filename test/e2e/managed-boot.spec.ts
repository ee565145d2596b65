import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api, httpCall, macOf, startStack, until, type Stack } from '../stack';

/** Ramdisks that the conductor boots: real files, read again by simulated machines that do what they say. */
const START_TIMEOUT_MS = 240_000;
jest.setTimeout(120_000);

const images = {
  deploy_kernel: 'http://images.example/ipa.kernel',
  deploy_ramdisk: 'http://images.example/ipa.initramfs',
};
const settings = {
  DEFAULT: { enabled_inspect_interfaces: 'agent, inspector, fake, no-inspect' },
  conductor: { automated_clean: 'false' },
  inspector: { status_check_period: '0.5', extra_kernel_params: 'nomodeset console=ttyS0' },
  simulator: { ramdisk_poll: '0.2' },
};

interface Wishes {
  readonly boot?: 'fake' | 'ipxe' | 'pxe';
  readonly inspect?: 'agent' | 'inspector';
  readonly script?: string;
  readonly after?: number;
  readonly driverInfo?: object;
  readonly fields?: object;
}

describe('an inspection whose ramdisk the conductor boots', () => {
  let stack: Stack;
  let api: Api;
  beforeAll(async () => {
    stack = await startStack({ settings, layout: 'single' });
    api = new Api(stack.apiUrl);
  }, START_TIMEOUT_MS);
  afterAll(() => stack.stop(), 60_000);

  const dashed = (mac: string): string => mac.replaceAll(':', '-');
  const ipxeFile = (mac: string): string => join(stack.home, 'httpboot', 'pxelinux.cfg', dashed(mac));
  const pxeFile = (mac: string): string => join(stack.home, 'tftpboot', 'pxelinux.cfg', `01-${dashed(mac)}`);
  /** Files of inspections that are left in the root, by node. */
  const left = (root: string): string[] => readdirSync(join(stack.home, root, 'ferrolog'));
  const provision = (uuid: string, target: string) => api.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target });

  async function machine(mac: string, wishes: Wishes): Promise<string> {
    const { boot = 'ipxe', inspect = 'agent', script = 'never', after = 0.2, driverInfo = images, fields } = wishes;
    const { uuid } = (
      await api.must(201, 'POST', '/v1/nodes', {
        driver: 'fake-hardware',
        inspect_interface: inspect,
        boot_interface: boot,
        driver_info: driverInfo,
        extra: { simulator: { script, after } },
        ...fields,
      })
    ).json as { uuid: string };
    await api.must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: mac });
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    await api.state(uuid, 'manageable');
    return uuid;
  }

  async function waiting(mac: string, wishes: Wishes): Promise<string> {
    const uuid = await machine(mac, wishes);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    await api.state(uuid, 'inspect wait', { everyMs: 20 });
    return uuid;
  }

  it('finishes by the address in its file, and leaves neither file nor a running machine', async () => {
    const mac = macOf(1);
    const uuid = await waiting(mac, { script: 'succeed', after: 3 });
    const script = readFileSync(ipxeFile(mac), 'utf8');
    expect(script).toMatch(/^#!ipxe\n/);
    expect(script).toContain('kernel http://images.example/ipa.kernel initrd=ramdisk nomodeset console=ttyS0 ');
    expect(script).toContain(` ipa-inspection-callback-url=${stack.apiUrl}/v1/continue_inspection `);
    expect(script).not.toContain('ipa-api-url');
    expect(await api.node(uuid)).toMatchObject({
      power_state: 'power on',
      driver_internal_info: { inspector_manage_boot: true },
    });
    await api.event(uuid, 'InspectionFinished');
    const node = await api.state(uuid, 'manageable');
    expect(node).toMatchObject({ power_state: 'power off', last_error: null, properties: { cpu_arch: 'x86_64' } });
    expect((node as unknown as { driver_internal_info: object }).driver_internal_info).not.toHaveProperty(
      'inspector_manage_boot',
    );
    expect([existsSync(ipxeFile(mac)), left('httpboot')]).toEqual([false, []]);
    const { inventory } = (await api.must(200, 'GET', `/v1/nodes/${uuid}/inventory`)).json as {
      inventory: { boot: { pxe_interface: string } };
    };
    expect(inventory.boot.pxe_interface).toBe(`01-${dashed(mac)}`);
    // Nobody told it where the API is, so it neither looked up its node nor beat.
    expect((await api.events(uuid)).map(({ type }) => type).slice(4)).toEqual([
      'InspectionWaiting',
      'InspectionResumed',
      'NodeUpdated',
      'InspectionCleanUpStarted',
      'InspectionCleanUpStarted',
      'PowerChanged',
      'InspectionFinished',
    ]);
  });

  it('with fast track is told where the API is, and goes on running', async () => {
    const mac = macOf(2);
    const driverInfo = { ...images, fast_track: true };
    const uuid = await waiting(mac, { script: 'succeed', after: 1, boot: 'pxe', driverInfo });
    expect(readFileSync(pxeFile(mac), 'utf8')).toContain(` ipa-api-url=${stack.apiUrl} `);
    await api.event(uuid, 'InspectionFinished');
    expect(await api.state(uuid, 'manageable')).toMatchObject({ power_state: 'power on' });
    expect([existsSync(pxeFile(mac)), left('tftpboot')]).toEqual([false, []]);
    expect((await api.events(uuid)).map(({ type }) => type)).toContain('AgentHeartbeat');
  });

  it('leaves nothing when it is aborted', async () => {
    const mac = macOf(3);
    const uuid = await waiting(mac, { boot: 'pxe' });
    expect(readFileSync(pxeFile(mac), 'utf8')).toContain(`APPEND initrd=${images.deploy_ramdisk} nomodeset`);
    expect((await provision(uuid, 'abort')).status).toBe(202);
    await until('the end of its boot file', () => !existsSync(pxeFile(mac)));
    await until('the machine to be off', async () => (await api.node(uuid)).power_state === 'power off');
    expect((await api.node(uuid)).last_error).toMatch(/aborted by request\.$/);
  });

  it('leaves nothing when its time runs out', async () => {
    const mac = macOf(4);
    const uuid = await waiting(mac, { driverInfo: { ...images, inspect_wait_timeout: 5 } });
    expect(existsSync(ipxeFile(mac))).toBe(true);
    expect((await api.state(uuid, 'inspect failed')).last_error).toMatch(/timeout reached/i);
    await until('the end of its boot file', () => !existsSync(ipxeFile(mac)));
    await until('the machine to be off', async () => (await api.node(uuid)).power_state === 'power off');
  });

  it('leaves nothing of a node that is removed under it', async () => {
    const mac = macOf(5);
    const uuid = await waiting(mac, {});
    expect(existsSync(ipxeFile(mac))).toBe(true);
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'gone' });
    await api.must(204, 'DELETE', `/v1/nodes/${uuid}`);
    expect([existsSync(ipxeFile(mac)), left('httpboot')]).toEqual([false, []]);
  });

  it('restarts a machine that must not be powered off, at both ends', async () => {
    const mac = macOf(6);
    const uuid = await waiting(mac, { fields: { disable_power_off: true } });
    expect((await provision(uuid, 'abort')).status).toBe(202);
    await until('the end of its boot file', () => !existsSync(ipxeFile(mac)));
    await api.event(uuid, 'PowerChanged');
    expect(await api.node(uuid)).toMatchObject({ power_state: 'power on', target_power_state: null });
  });

  it.each([
    ['a boot interface that boots nothing', { boot: 'fake' }, 'fake does not support managed boot'],
    ['no kernel', { driverInfo: {} }, 'driver_info.deploy_kernel'],
    [
      'a kernel that is more than one word',
      { driverInfo: { ...images, deploy_kernel: 'http://x/k\nboot' } },
      'deploy_kernel',
    ],
  ] as const)('is refused with %s, since managed boot is required of agent', async (_what, wishes, reason) => {
    const uuid = await machine(macOf(100 + reason.length), wishes);
    const { status, text } = await provision(uuid, 'inspect');
    expect([status, text.includes(reason)]).toEqual([400, true]);
    expect((await api.node(uuid)).provision_state).toBe('manageable');
  });

  it('fails where the ramdisk would post to an inspector on its own loopback address', async () => {
    const mac = macOf(7);
    const uuid = await machine(mac, { inspect: 'inspector' });
    expect((await provision(uuid, 'inspect')).status).toBe(202);
    const { last_error: error } = await api.state(uuid, 'inspect failed');
    expect(error).toMatch(/^unable to start inspection: .*callback_endpoint_override/);
    expect(existsSync(ipxeFile(mac))).toBe(false);
  });

  it('is left to the inspector where the boot interface cannot', async () => {
    const uuid = await waiting(macOf(8), { inspect: 'inspector', driverInfo: {} });
    expect(await api.node(uuid)).toMatchObject({ driver_internal_info: { inspector_manage_boot: false } });
    expect((await provision(uuid, 'abort')).status).toBe(202);
  });

  it('ends by its deadline when the inspector has lost its cache, which then takes no data', async () => {
    const driverInfo = { inspect_wait_timeout: 6 };
    const uuid = await waiting(macOf(9), { inspect: 'inspector', boot: 'fake', driverInfo, script: 'cache-lost' });
    const asked = async () => {
      const path = `/ferrolog/v1/simulator/log?node=${uuid}`;
      const { entries } = (await httpCall(stack.inspectorUrl, { method: 'GET', path })).json as {
        entries: { ask: string; status: number }[];
      };
      return entries.map(({ ask, status }) => `${ask} ${status}`);
    };
    await until('a status that is not known', async () => (await asked()).includes('status 404'));
    expect((await api.node(uuid)).provision_state).toBe('inspect wait');
    expect((await api.state(uuid, 'inspect failed')).last_error).toMatch(/timeout reached/i);
    expect(await asked()).toEqual(expect.arrayContaining(['start 202', 'continue 400']));
  });
});
