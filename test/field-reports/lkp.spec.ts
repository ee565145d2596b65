/** Reports on how a machine is found: by its MAC addresses, by its BMC, by its UUID. */
import { lookupBmcAddresses } from '@lib/adapters/inspect-inspector';
import { Whole, payload, type Client } from '../whole';
import { expectSoundEnd } from './row';

jest.setTimeout(60_000);

const INFINIBAND = '00:00:02:c9:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:01';
const macOf = (number: number): string => `52:54:00:00:00:0${number}`;

let whole: Whole;
let api: Client;
beforeEach(async () => {
  whole = await Whole.start({ keepsLines: true });
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

/** Machines that wait, each with one port, and these addresses of their BMCs in its turn. */
async function machines(bmcs: readonly (readonly string[])[]): Promise<string[]> {
  const uuids: string[] = [];
  for (const [index, lookupBmcAddresses_] of bmcs.entries()) {
    whole.script.play('inspect', () => ({
      returned: 'INSPECTWAIT',
      manageBoot: false,
      lookupBmcAddresses: lookupBmcAddresses_,
    }));
    uuids.push(await api.waiting({ mac: macOf(index + 1) }));
  }
  return uuids;
}

const post = (mac: string, bmc: Readonly<Record<string, unknown>> = {}, query = '') =>
  api.call('POST', `/v1/continue_inspection${query}`, payload(mac, bmc));

const warn = jest.fn();
beforeEach(() => warn.mockClear());

/** What a node's BMC is looked up by, from its driver_info, with a resolver that knows no name but `bmc.example`. */
const addressesOf = (driverInfo: Readonly<Record<string, unknown>>): Promise<string[]> =>
  lookupBmcAddresses(driverInfo, 'node', {
    resolveHost: async (host) => {
      if (host === 'bmc.example') return ['192.0.2.9'];
      throw new Error('ENOTFOUND');
    },
    clock: whole.clock,
    logger: { debug: jest.fn(), info: jest.fn(), warn, error: jest.fn() },
  });

it('LKP-01: an address that is none does not spoil a lookup; only such, or none at all, is 400', async () => {
  const uuid = await api.waiting({ mac: macOf(1) });
  const look = (addresses: string) => api.call('GET', `/v1/lookup?addresses=${addresses}`);
  const found = await look(`${INFINIBAND},${macOf(1)}`);
  expect(found.status).toBe(200);
  expect((found.body as { node: { uuid: string } }).node.uuid).toBe(uuid);
  expect([(await look(INFINIBAND)).status, (await look('')).status]).toEqual([400, 400]);
});

it('LKP-02: upper and lower case are one address, and its port stays the same', async () => {
  const uuid = await api.machine({ mac: 'AA:BB:CC:00:11:22' });
  const ports = async () =>
    ((await api.must(200, 'GET', `/v1/nodes/${uuid}/ports`)).body as { ports: { uuid: string; address: string }[] })
      .ports;
  const before = await ports();
  expect(before.map(({ address }) => address)).toEqual(['aa:bb:cc:00:11:22']);
  for (const mac of ['aa:bb:cc:00:11:22', 'Aa:Bb:cC:00:11:22']) {
    await api.inspect(uuid);
    expect((await post(mac)).status).toBe(202);
    expect(await api.state(uuid)).toBe('manageable');
    expect(await ports()).toMatchObject(before.map((port) => ({ uuid: port.uuid, address: port.address })));
  }
});

it('LKP-04: where several machines share a BMC the MAC decides, and without one nobody guesses', async () => {
  const uuids = await machines(Array<readonly string[]>(4).fill(['192.0.2.1']));
  expect((await post('52:54:00:ff:ff:ff', { bmc_address: '192.0.2.1' })).status).toBe(404);
  const third = await post(macOf(3), { bmc_address: '192.0.2.1' });
  expect([third.status, (third.body as { node: { uuid: string } }).node.uuid]).toEqual([202, uuids[2]]);
  const states = await Promise.all(uuids.map((uuid) => api.state(uuid)));
  expect(states).toEqual(['inspect wait', 'inspect wait', 'manageable', 'inspect wait']);
});

it.each([['0.0.0.0'], [''], [null], [undefined], ['::'], ['::/0']])(
  'LKP-06: %j as the address of a BMC is as good as none',
  async (address) => {
    // Not even a machine that was noted under it is found by it.
    const uuids = await machines([['192.0.2.1'], [String(address)], ['192.0.2.3']]);
    const bmc = { bmc_address: address, bmc_v6address: address };
    expect((await post('52:54:00:ff:ff:ff', bmc)).status).toBe(404);
    expect((await post(macOf(1), { bmc_address: address })).status).toBe(202);
    expect((await post(macOf(3), { bmc_v6address: address })).status).toBe(202);
    expect(await Promise.all(uuids.map((uuid) => api.state(uuid)))).toEqual([
      'manageable',
      'inspect wait',
      'manageable',
    ]);
  },
);

it('LKP-07: a BMC on a loopback address finds nothing; the MAC does', async () => {
  expect(await addressesOf({ redfish_address: 'https://127.0.0.1:8000' })).toEqual([]);
  const uuids = await machines([['127.0.0.1'], ['127.0.0.1']]);
  expect((await post('52:54:00:ff:ff:ff', { bmc_address: '127.0.0.1' })).status).toBe(404);
  expect((await post(macOf(2), { bmc_address: '127.0.0.1' })).status).toBe(202);
  expect(await Promise.all(uuids.map((uuid) => api.state(uuid)))).toEqual(['inspect wait', 'manageable']);
});

it('LKP-08: a BMC whose name nobody resolves keeps no other machine from being found', async () => {
  expect(await addressesOf({ redfish_address: 'https://nohost.invalid' })).toEqual([]);
  expect(warn.mock.calls.map((call) => JSON.stringify(call))).toEqual([expect.stringContaining('nohost.invalid')]);
  const uuids = await machines([
    await addressesOf({ redfish_address: 'https://nohost.invalid' }),
    await addressesOf({ redfish_address: 'https://bmc.example' }),
  ]);
  const from = whole.clock.now();
  expect((await post('52:54:00:ff:ff:ff', { bmc_address: '192.0.2.9' })).status).toBe(202);
  expect(whole.clock.now()).toBe(from);
  expect(await Promise.all(uuids.map((uuid) => api.state(uuid)))).toEqual(['inspect wait', 'manageable']);
});

it.each(['https://[fd00::5]:8000/redfish/v1', 'fd00::5', 'FD00:0::5', '[fd00::5]'])(
  'LKP-09: %s is the BMC fd00::5',
  async (redfishAddress) => {
    const [uuid] = await machines([await addressesOf({ redfish_address: redfishAddress })]);
    const { status } = await post('52:54:00:ff:ff:ff', { bmc_v6address: 'fd00::5' });
    expect([status, await api.state(uuid as string)]).toEqual([202, 'manageable']);
  },
);

it('LKP-11: a UUID, a MAC and a BMC of different machines find none of them, and change nothing', async () => {
  const uuids = await machines([['192.0.2.1'], ['192.0.2.2'], ['192.0.2.3']]);
  const head = await whole.stored.log.head();
  const conflicts = [
    await post(macOf(2), {}, `?node_uuid=${uuids[0]}`),
    await post(macOf(1), { bmc_address: '192.0.2.2' }),
    await post(macOf(2), { bmc_address: '192.0.2.3' }, `?node_uuid=${uuids[0]}`),
  ];
  expect(conflicts.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(conflicts.map(({ text }) => text)).size).toBe(1);
  const written = (await whole.stored.log.readAll(head, 100)).map(({ type }) => type);
  expect(written.filter((type) => type !== 'InspectionDataRefused')).toEqual([]);
  expect(await Promise.all(uuids.map((uuid) => api.state(uuid)))).toEqual(Array(3).fill('inspect wait'));
  const logged = whole.lines.map(({ fields }) => JSON.stringify(fields));
  expect(logged.some((line) => line.includes(uuids[0] as string) && line.includes(uuids[1] as string))).toBe(true);
});

it('LKP-15: what a machine tells in part is kept, and what is missing is said', async () => {
  const [uuid] = await machines([[]]);
  const interfaces = [
    { name: 'eth0', mac_address: macOf(1) },
    { mac_address: macOf(2), ipv4_address: '192.0.2.77' },
  ];
  expect((await post(macOf(1), { interfaces })).status).toBe(202);
  expect(await api.state(uuid as string)).toBe('manageable');
  const { body } = await api.inventory(uuid as string);
  expect((body as { inventory: { interfaces: object[] } }).inventory.interfaces).toMatchObject(interfaces);
  const warned = whole.lines.map(({ fields }) => JSON.stringify(fields)).filter((line) => line.includes('warnings'));
  expect(warned.join()).toMatch(/name/);
  // In its timeline too: where the data came in, which is before its machine was switched off.
  const [cameIn] = await api.events(uuid as string, 'InspectionCleanUpStarted');
  expect(cameIn?.data['warnings']).toEqual([expect.stringMatching(/name/)]);
});
