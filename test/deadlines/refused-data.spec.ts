/** Data of ramdisks that nobody waited for: answered as the contract says, kept, read and used. contract: inspection.md §6.5 */
import { Whole, type Client, type Seen } from '../whole';
import { expectSoundEnd } from '../field-reports/row';

const MAC = '52:54:00:00:00:01';
const OTHER_MAC = '52:54:00:00:00:02';

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start({ settings: { conductor: { inspect_wait_timeout: 100 } } });
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

const path = (uuid: string, rest = ''): string => `/ferrolog/v1/nodes/${uuid}/refused${rest}`;
const refused = async (uuid: string) =>
  (await api.must(200, 'GET', path(uuid))).body.refused as readonly Record<string, unknown>[];
const memory = (megabytes: number) => ({ memory: { physical_mb: megabytes } });

async function postLate(mac: string, more: Readonly<Record<string, unknown>> = {}): Promise<Seen> {
  const answer = await api.data(mac, more);
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Resource could not be found.')]);
  return answer;
}

it('that comes too late is kept once, and the node is as it was', async () => {
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(100_000);
  const before = await api.node(uuid);
  await postLate(MAC, memory(4096));
  await postLate(MAC, memory(4096));
  expect(await api.node(uuid)).toEqual(before);
  expect((await api.inventory(uuid)).status).toBe(404);
  expect(await refused(uuid)).toEqual([
    {
      id: 1,
      at: '2026-11-30T08:01:40.000000+00:00',
      attempt: 1,
      provision_state: 'inspect failed',
      why: 'late',
      bytes: expect.any(Number),
      promoted_by: null,
    },
  ]);
  const shown = await api.must(200, 'GET', path(uuid, '/1'));
  expect(shown.body).toMatchObject({ id: 1, inventory: memory(4096), plugin_data: {} });
});

it('is promoted into a new attempt, without a word to the machine', async () => {
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(100_000);
  await postLate(MAC, memory(8192));
  const asked = whole.script.calls('inspect').length + whole.script.calls('power').length;
  expect((await api.call('POST', path(uuid, '/1/promote'))).status).toBe(202);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  expect((await api.inventory(uuid)).body.inventory).toMatchObject(memory(8192));
  expect(await api.endings(uuid)).toEqual(['InspectionTimedOut', 'InspectionFinished']);
  expect((await api.events(uuid, 'InspectionStarted')).at(-1)!.data).toMatchObject({ attempt: 2, promotes: 1 });
  expect(whole.script.calls('inspect').length + whole.script.calls('power').length).toBe(asked);
  expect(await refused(uuid)).toMatchObject([{ id: 1, promoted_by: 2 }]);
});

it('that came twice, or after an abort, is kept as what it was', async () => {
  const [twice, aborted] = [await api.waiting({ mac: MAC }), await api.waiting({ mac: OTHER_MAC })];
  expect((await api.data(MAC, memory(1024))).status).toBe(202);
  await postLate(MAC, memory(1024));
  expect((await api.inventory(twice)).body.inventory).toMatchObject(memory(1024));
  expect((await api.provision(aborted, 'abort')).status).toBe(202);
  await postLate(OTHER_MAC);
  expect(await refused(twice)).toMatchObject([{ attempt: 1, provision_state: 'manageable', why: 'late' }]);
  expect(await refused(aborted)).toMatchObject([{ attempt: 1, provision_state: 'inspect failed', why: 'late' }]);
});

it('is bounded, and what is of nobody is not kept', async () => {
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(100_000);
  for (let at = 1; at <= 8; at += 1) await postLate(MAC, memory(at));
  expect((await refused(uuid)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  await postLate('52:54:00:00:00:99');
  expect(await api.events(uuid, 'InspectionDataRefused')).toHaveLength(5);
});

it('is used only where an inspection may start, and by an interface that takes data', async () => {
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(100_000);
  await postLate(MAC);
  expect((await api.call('POST', path(uuid, '/7/promote'))).status).toBe(404);
  expect((await api.call('GET', path(uuid, '/7'))).status).toBe(404);
  expect((await api.call('GET', path(uuid, '/1/promote'))).status).toBe(405);
  await api.inspect(uuid);
  expect((await api.call('POST', path(uuid, '/1/promote'))).status).toBe(409);
  expect((await api.provision(uuid, 'abort')).status).toBe(202);
  expect((await api.provision(uuid, 'manage')).status).toBe(202);
  const other = [{ op: 'replace', path: '/inspect_interface', value: 'inspector' }];
  await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, other);
  expect((await api.call('POST', path(uuid, '/1/promote'))).status).toBe(400);
});
