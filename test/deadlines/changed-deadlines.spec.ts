/** An operator's word on the deadline of a wait, from the request to its end, on one clock that stands still. */
import { Whole, type Client, type Seen, type Values } from '../whole';
import { expectSoundEnd } from '../field-reports/row';

const MAC = '52:54:00:00:00:01';
const settings: Values = { conductor: { inspect_wait_timeout: 100 } };

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start({ settings });
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

const path = (uuid: string): string => `/ferrolog/v1/nodes/${uuid}/deadline`;
const change = (uuid: string, body: unknown, method = 'PUT'): Promise<Seen> => api.call(method, path(uuid), body);
const shown = async (uuid: string) => (await api.must(200, 'GET', path(uuid))).body.deadline as Record<string, unknown>;

it('shows how long is left, and nothing where nothing is waited for', async () => {
  const uuid = await api.machine();
  expect(await shown(uuid)).toBeNull();
  await api.inspect(uuid);
  await whole.pass(40_000);
  expect(await shown(uuid)).toEqual({
    attempt: 1,
    retry: null,
    due: '2026-11-30T08:01:40.000000+00:00',
    remaining_seconds: 60,
    held: false,
    overdue: false,
    paused: false,
    last_change: null,
  });
});

it.each(['PUT', 'PATCH'])('is extended by %s, and the node fails at its new time', async (method) => {
  const uuid = await api.waiting();
  await whole.pass(99_999);
  const { status, body } = await change(uuid, { extend_seconds: 50, reason: 'slow disks' }, method);
  expect(status).toBe(200);
  expect(body.deadline).toMatchObject({
    due: '2026-11-30T08:02:30.000000+00:00',
    remaining_seconds: 51,
    last_change: { change: 'extended', reason: 'slow disks', user: null, request_id: expect.stringMatching(/^req-/) },
  });
  await whole.pass(50_000);
  expect(await api.state(uuid)).toBe('inspect wait');
  await whole.pass(1);
  expect(await api.node(uuid)).toMatchObject({
    provision_state: 'inspect failed',
    last_error: expect.stringMatching(/timeout reached .* by 2026-11-30T08:02:30\.000Z, to which an operator/i),
  });
  const [extended] = await api.events(uuid, 'DeadlineExtended');
  expect(extended!.data).toMatchObject({ reason: 'slow disks', deadline: { n: 1 } });
});

it('is moved to a later time only', async () => {
  const uuid = await api.waiting();
  expect((await change(uuid, { due_at: '2026-11-30T09:00:00+01:00' })).status).toBe(400);
  expect((await change(uuid, { due_at: '2026-11-30T10:00:00+01:00' })).body.deadline.remaining_seconds).toBe(3600);
  await whole.pass(3_599_999);
  expect(await api.state(uuid)).toBe('inspect wait');
  await whole.pass(1);
  expect(await api.state(uuid)).toBe('inspect failed');
});

it('stands still while it is paused, over a restart of everything, and runs on', async () => {
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(90_000);
  const paused = await change(uuid, { paused: true, reason: 'firmware by hand' });
  expect(paused.body.deadline).toMatchObject({ paused: true, held: true, overdue: false, remaining_seconds: 10 });
  await whole.pass(3_600_000);
  whole.conductors[0]!.kill();
  await whole.conductor();
  await whole.scheduler();
  expect(await shown(uuid)).toMatchObject({
    paused: true,
    remaining_seconds: 10,
    last_change: { change: 'paused', reason: 'firmware by hand' },
  });
  expect((await change(uuid, { paused: true })).status).toBe(200);
  expect((await change(uuid, { paused: false })).body.deadline).toMatchObject({ paused: false, remaining_seconds: 10 });
  await whole.pass(9_999);
  expect(await api.state(uuid)).toBe('inspect wait');
  await whole.pass(1);
  expect(await api.state(uuid)).toBe('inspect failed');
  expect(await api.events(uuid, 'DeadlinePaused')).toHaveLength(1);
});

it('ends with its wait, however it was changed: data, abort, and a new attempt has a fresh one', async () => {
  const [heard, aborted] = [await api.waiting({ mac: MAC }), await api.waiting()];
  for (const uuid of [heard, aborted]) expect((await change(uuid, { paused: true })).status).toBe(200);
  expect(await api.data(MAC)).toMatchObject({ status: 202 });
  expect((await api.provision(aborted, 'abort')).status).toBe(202);
  for (const uuid of [heard, aborted]) {
    expect(await shown(uuid)).toBeNull();
    await api.inspect(uuid);
    expect(await shown(uuid)).toMatchObject({ attempt: 2, remaining_seconds: 100, paused: false, last_change: null });
  }
});

it('is held by maintenance: it does not fire, and what ends that lets it run', async () => {
  const uuid = await api.waiting();
  await api.must(202, 'PUT', `/v1/nodes/${uuid}/maintenance`, {});
  await whole.pass(200_000);
  expect(await shown(uuid)).toMatchObject({ held: true, overdue: true, remaining_seconds: -100 });
  expect((await change(uuid, { extend_seconds: 30 })).body.deadline).toMatchObject({ remaining_seconds: 30 });
  await api.must(202, 'DELETE', `/v1/nodes/${uuid}/maintenance`);
  await whole.pass(29_999);
  expect(await api.state(uuid)).toBe('inspect wait');
  await whole.pass(1);
  expect(await api.state(uuid)).toBe('inspect failed');
});

it('of a child node passes like any other', async () => {
  const parent = await api.machine();
  const child = await api.waiting({ fields: { parent_node: parent } });
  await whole.pass(99_999);
  expect(await api.state(child)).toBe('inspect wait');
  await whole.pass(1);
  expect(await api.state(child)).toBe('inspect failed');
});

it('races its timeout with one winner', async () => {
  const uuid = await api.waiting();
  const [changed] = await Promise.all([api.send('PUT', path(uuid), { extend_seconds: 60 }), whole.pass(100_000)]);
  const [state, timedOut] = [await api.state(uuid), await api.events(uuid, 'InspectionTimedOut')];
  expect([changed.status, state, timedOut.length]).toEqual(
    changed.status === 200 ? [200, 'inspect wait', 0] : [409, 'inspect failed', 1],
  );
});

it('is refused without an open one, and for what is no change', async () => {
  const [idle, waiting] = [await api.machine(), await api.waiting()];
  const endless = await api.waiting({ fields: { driver_info: { inspect_wait_timeout: 0 } } });
  for (const uuid of [idle, endless]) expect((await change(uuid, { paused: true })).status).toBe(409);
  const nothing = [
    {},
    { paused: 'yes' },
    { paused: null },
    { extend_seconds: 0 },
    { extend_seconds: -1 },
    { extend_seconds: '60' },
    { extend_seconds: 60, paused: true },
    { extend_seconds: 1e12 },
    { due_at: 'tomorrow' },
    { due_at: '2026-11-30T23:00:00' },
    { due_at: '2026-11-30T07:00:00Z' },
    { paused: true, reason: 7 },
    { paused: true, reason: 'x'.repeat(256) },
    { paused: true, until: 'never' },
    [],
    'nonsense',
  ];
  for (const body of nothing) expect([body, (await change(waiting, body)).status]).toEqual([body, 400]);
  expect((await change('nobody', { paused: true })).status).toBe(404);
  const wrong = await api.call('DELETE', path(waiting));
  expect(wrong.status).toBe(405);
  expect(await shown(waiting)).toMatchObject({ paused: false, remaining_seconds: 100, last_change: null });
});
