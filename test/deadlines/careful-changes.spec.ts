/** What is said of a node beside the contract's paths, under conditions and keys. */
import { Whole, type Client, type Seen } from '../whole';
import { expectSoundEnd } from '../field-reports/row';

const MAC = '52:54:00:00:00:01';
const JSON_BODY = { 'Content-Type': 'application/json' };

let whole: Whole;
let api: Client;

beforeEach(async () => {
  whole = await Whole.start({ settings: { conductor: { inspect_wait_timeout: 100 } } });
  api = await whole.api();
});
afterEach(() => expectSoundEnd(whole));

const own = (uuid: string, rest: string): string => `/ferrolog/v1/nodes/${uuid}/${rest}`;
const careful = (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Seen> =>
  api.call(method, path, body, undefined, { ...(body === undefined ? {} : JSON_BODY), ...headers });
const left = async (uuid: string) =>
  (await api.must(200, 'GET', own(uuid, 'deadline'))).body.deadline.remaining_seconds as number;

/** The tag of what the log has of the node now, in some form. */
const tagOf = async (uuid: string): Promise<string> => `"${uuid}.${(await api.events(uuid)).length}.form"`;

/** A node with one refused record, where an inspection may start. */
async function withRefused(): Promise<string> {
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(100_000);
  expect((await api.data(MAC)).status).toBe(404);
  return uuid;
}

describe('If-Match', () => {
  it.each(['PUT', 'PATCH'])('holds %s of a deadline to what the client has seen', async (method) => {
    const uuid = await api.waiting();
    const seen = await tagOf(uuid);
    const change = (tag: string) => careful(method, own(uuid, 'deadline'), { extend_seconds: 50 }, { 'If-Match': tag });
    expect((await change(seen)).status).toBe(200);
    expect((await change(seen)).status).toBe(412);
    expect((await change('unquoted')).status).toBe(400);
    expect(await left(uuid)).toBe(150);
    expect((await change(await tagOf(uuid))).status).toBe(200);
    expect((await change('*')).status).toBe(200);
    expect(await left(uuid)).toBe(250);
  });

  it('holds a promotion to it', async () => {
    const uuid = await withRefused();
    const seen = await tagOf(uuid);
    await api.must(200, 'PATCH', `/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/k', value: 1 }]);
    const promote = (tag: string) => careful('POST', own(uuid, 'refused/1/promote'), undefined, { 'If-Match': tag });
    expect((await promote(seen)).status).toBe(412);
    expect(await api.state(uuid)).toBe('inspect failed');
    expect((await promote(await tagOf(uuid))).status).toBe(202);
    expect(await api.state(uuid)).toBe('manageable');
  });

  it('is looked at by GET', async () => {
    const uuid = await api.waiting();
    const seen = await tagOf(uuid);
    const read = (tag: string) => careful('GET', own(uuid, 'deadline'), undefined, { 'If-Match': tag });
    expect((await read(seen)).status).toBe(200);
    await api.must(200, 'PUT', own(uuid, 'deadline'), { paused: true });
    expect((await read(seen)).status).toBe(412);
  });
});

describe('Idempotency-Key', () => {
  it('extends once, also when many ask at once', async () => {
    const uuid = await api.waiting();
    const extend = (seconds = 50) =>
      careful('PUT', own(uuid, 'deadline'), { extend_seconds: seconds }, { 'Idempotency-Key': 'k1' });
    const all = await Promise.all([extend(), extend(), extend()]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    await whole.pass(10_000);
    expect(await extend()).toEqual(all[0]);
    expect((await extend(60)).status).toBe(422);
    expect(await left(uuid)).toBe(140);
    expect(await api.events(uuid, 'DeadlineExtended')).toHaveLength(1);
  });

  it('that was refused is decided anew', async () => {
    const uuid = await api.machine();
    const pause = () => careful('PATCH', own(uuid, 'deadline'), { paused: true }, { 'Idempotency-Key': 'k2' });
    expect((await pause()).status).toBe(409);
    await api.inspect(uuid);
    expect((await pause()).status).toBe(200);
  });

  it('promotes once, although the first has ended where it would begin again', async () => {
    const uuid = await withRefused();
    const promote = () => careful('POST', own(uuid, 'refused/1/promote'), undefined, { 'Idempotency-Key': 'k3' });
    expect([(await promote()).status, (await promote()).status]).toEqual([202, 202]);
    expect(await api.endings(uuid)).toEqual(['InspectionTimedOut', 'InspectionFinished']);
    expect((await api.call('POST', own(uuid, 'refused/1/promote'))).status).toBe(202);
    expect(await api.endings(uuid)).toHaveLength(3);
  });
});
