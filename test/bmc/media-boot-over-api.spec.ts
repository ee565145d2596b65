/** An inspection by ramdisk that is booted from virtual media (contract: inspection.md §4.1, §4.2, §4.4), over the API. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OverApi } from './over-api';

const ISO = 'https://images.example/ramdisk.iso';
const httpUrl = 'http://192.0.2.1:8080';

let bed: OverApi;
let httpRoot: string;

beforeAll(async () => {
  httpRoot = mkdtempSync(join(tmpdir(), 'media-boot-'));
  const pxe = { tftpRoot: '/nonexistent', httpRoot, httpUrl, deployKernel: null, deployRamdisk: null };
  bed = await OverApi.start({}, {}, { pxe });
});
afterEach(() => bed.bmc.stop());
afterAll(async () => {
  await bed.stop();
  rmSync(httpRoot, { recursive: true });
});

const managed = (info: Record<string, unknown>): Promise<string> =>
  bed.managed({ power: 'On' }, info, {}, { inspect: 'agent', boot_interface: 'redfish-virtual-media' });
const target = (uuid: string, wanted: string) =>
  bed.whole.during(bed.api.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target: wanted }), 2);

it('is refused where no image is named, since nothing else may boot the machine', async () => {
  const uuid = await managed({});
  const { answer } = await target(uuid, 'inspect');
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('driver_info lacks deploy_iso')]);
  expect(bed.bmc.machine().power).toBe('On');
});

it('boots from the CD with what it is told on a second medium; both are gone at the end', async () => {
  const uuid = await managed({ deploy_iso: ISO });
  expect((await target(uuid, 'inspect')).answer.status).toBe(202);
  await bed.until('it waits', uuid, (node) => node['provision_state'] === 'inspect wait');
  expect(bed.bmc.machine().media).toEqual({ Cd: ISO, Usb: `${httpUrl}/ferrolog/${uuid}/1/parameters.img` });
  expect(bed.bmc.asked('PATCH').map(({ body }) => body)).toEqual([
    { Boot: { BootSourceOverrideTarget: 'Cd', BootSourceOverrideEnabled: 'Once' } },
  ]);
  expect(bed.bmc.machine().power).toBe('On');
  expect(readdirSync(join(httpRoot, 'ferrolog'))).toEqual([uuid]);
  expect((await target(uuid, 'abort')).answer.status).toBe(202);
  await bed.until('its media are out', uuid, () => Object.values(bed.bmc.machine().media).every((one) => one === null));
  await bed.until('it is off', uuid, (node) => node['power_state'] === 'power off' && !node['reservation']);
  expect(await bed.api.node(uuid)).toMatchObject({
    provision_state: 'inspect failed',
    last_error: expect.stringMatching(/aborted/),
  });
  expect(readdirSync(join(httpRoot, 'ferrolog'))).toEqual([]);
});

it('hands the ramdisk a token that nobody else is given, for as long as its medium is there', async () => {
  const uuid = await managed({ deploy_iso: ISO });
  await target(uuid, 'inspect');
  await bed.until('it waits', uuid, (node) => node['provision_state'] === 'inspect wait');
  const image = readFileSync(join(httpRoot, 'ferrolog', uuid, '1', 'parameters.img'), 'latin1');
  const token = /ipa-agent-token=([\w-]{43})\n/.exec(image)?.[1] ?? 'none';
  const internal = async () => (await bed.api.node(uuid)).driver_internal_info as Record<string, unknown>;
  const handed = { agent_secret_token: '******', agent_secret_token_pregenerated: '******' };
  expect(await internal()).toMatchObject(handed);
  const lookup = await bed.api.send('GET', `/v1/lookup?node_uuid=${uuid}`);
  expect([lookup.status, lookup.body]).toEqual([
    200,
    expect.objectContaining({ config: expect.objectContaining({ agent_token: '******' }) }),
  ]);
  const beat = (agent_token: string) => {
    const body = { callback_url: 'https://192.0.2.9:9999', agent_token, agent_version: '9.0.0' };
    return bed.api.send('POST', `/v1/heartbeat/${uuid}`, body);
  };
  expect([(await beat('x'.repeat(43))).status, (await beat(token)).status]).toEqual([400, 202]);
  // An operator's restart boots the same medium again.
  await bed.whole.during(bed.api.send('PUT', `/v1/nodes/${uuid}/states/power`, { target: 'rebooting' }), 2);
  await bed.until('it runs again', uuid, (node) => node['power_state'] === 'power on' && !node['target_power_state']);
  expect(await internal()).toMatchObject(handed);
  expect((await beat(token)).status).toBe(202);
  const events = await bed.api.send('GET', `/ferrolog/v1/nodes/${uuid}/events`);
  expect(events.text).not.toContain(token);
  await target(uuid, 'abort');
  await bed.until('it is off', uuid, (node) => node['power_state'] === 'power off' && !node['reservation']);
  expect(Object.keys(await internal()).filter((key) => key.startsWith('agent_secret'))).toEqual([]);
});

it.each([
  ['at once', []],
  [
    'however long the BMC takes, since nobody waits for it',
    [{ path: /EjectMedia$/, fault: { kind: 'slow', ms: 20_000 } }],
  ],
] as const)('leaves no medium behind when the node is removed, which is answered %s', async (_what, faults) => {
  const uuid = await managed({ deploy_iso: ISO });
  await target(uuid, 'inspect');
  await bed.until('it waits', uuid, (node) => node['provision_state'] === 'inspect wait');
  for (const fault of faults) bed.bmc.faults.add(fault);
  expect((await bed.api.send('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'gone' })).status).toBe(202);
  const { answer, ms } = await bed.whole.during(bed.api.send('DELETE', `/v1/nodes/${uuid}`), 2);
  expect([answer.status, ms < 20_000]).toEqual([204, true]);
  await bed.whole.until(
    'its media are out',
    async () => Object.values(bed.bmc.machine().media).every((one) => one === null),
    100,
  );
  expect(readdirSync(join(httpRoot, 'ferrolog'))).toEqual([]);
});

it('says so where the BMC does not take the image', async () => {
  const uuid = await managed({ deploy_iso: ISO });
  const message = 'The image can not be fetched.';
  bed.bmc.faults.add({ path: /Cd\/\S*InsertMedia$/, fault: { kind: 'status', status: 400, message } });
  await target(uuid, 'inspect');
  await bed.until('it has failed', uuid, (node) => node['provision_state'] === 'inspect failed');
  expect((await bed.api.node(uuid)).last_error).toMatch(
    /unable to start inspection: .*400 The image can not be fetched/,
  );
  await bed.until('its media are out', uuid, () => Object.values(bed.bmc.machine().media).every((one) => one === null));
});
