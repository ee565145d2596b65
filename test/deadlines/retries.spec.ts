/** A policy of retries from the settings file to what a client sees, on one clock that stands still. */
import { Whole, type Client } from '../whole';
import { expectSoundEnd } from '../field-reports/row';

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start({
    settings: {
      conductor: { inspect_wait_timeout: 100 },
      inspector: { retry_attempts: 1, retry_backoff: 30 },
    },
  });
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

const path = (uuid: string): string => `/ferrolog/v1/nodes/${uuid}/deadline`;
const shown = async (uuid: string) => (await api.must(200, 'GET', path(uuid))).body.deadline as unknown;

it('shows when the next attempt begins, begins it, and ends with it', async () => {
  const uuid = await api.waiting();
  await whole.pass(100_000);
  expect(await api.node(uuid)).toMatchObject({
    provision_state: 'inspect failed',
    last_error: expect.stringMatching(/timeout reached .* Retry 1 of 1 begins at 2026-11-30T08:02:10\.000Z/i),
  });
  expect(await shown(uuid)).toMatchObject({ attempt: 1, retry: { number: 1, of: 1 }, remaining_seconds: 30 });
  await whole.pass(30_000);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'inspect wait', last_error: null });
  await whole.pass(100_000);
  expect(await shown(uuid)).toBeNull();
  expect((await api.events(uuid, 'InspectionTimedOut')).map(({ data }) => data['attempt'])).toEqual([1, 2]);
});

it('is ended by the verb `manage`, and put off by a word on its deadline', async () => {
  const [one, other] = [await api.waiting(), await api.waiting()];
  await whole.pass(100_000);
  await api.must(202, 'PUT', `/v1/nodes/${one}/states/provision`, { target: 'manage' });
  await api.must(200, 'PUT', path(other), { extend_seconds: 3600, reason: 'the rack is being moved' });
  await whole.pass(60_000);
  expect(await api.state(one)).toBe('manageable');
  expect(await api.state(other)).toBe('inspect failed');
  expect(await shown(one)).toBeNull();
  expect(await shown(other)).toMatchObject({ retry: { number: 1, of: 1 }, remaining_seconds: 3570 });
});

it('is none by the word of the node', async () => {
  const uuid = await api.waiting();
  const patch = [{ op: 'add', path: '/driver_info/inspect_retry_attempts', value: 0 }];
  await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, patch);
  await whole.pass(100_000);
  expect(await shown(uuid)).toBeNull();
});

it('is refused where it is none, at creation and at a change', async () => {
  const wrong = { inspect_retry_attempts: 'often' };
  const created = await api.call('POST', '/v1/nodes', { driver: 'fake-hardware', driver_info: wrong });
  expect(created).toMatchObject({ status: 400 });
  const uuid = await api.machine();
  const patch = [{ op: 'add', path: '/driver_info/inspect_retry_backoff', value: -1 }];
  expect(await api.call('PATCH', `/v1/nodes/${uuid}`, patch)).toMatchObject({ status: 400 });
});
