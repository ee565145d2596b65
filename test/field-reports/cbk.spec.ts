/** Reports on what ramdisks send: data, heartbeats, duplicates, and what comes late. */
import { emptyStream } from '@lib/domain';
import { LogUnavailable } from '@lib/ports';
import { describeWithPostgres, startPostgres, type ScratchPostgres } from '@lib/testing/postgres';
import { foldRecorded, nodeStreamId } from '@lib/usecases';
import {
  Whole,
  inMemory,
  inPostgres,
  inSqlite,
  payload,
  type Client,
  type OpenStore,
  type WholeOptions,
} from '../whole';
import { AppendFault, faultyLog } from './faults';
import { expectSoundEnd } from './row';

const MAC = '52:54:00:00:00:01';
const AGENT_URL = 'https://192.0.2.10:9999';
const fastTrack = { fields: { driver_info: { fast_track: true } } };

let whole: Whole;
let api: Client;

async function start(options: WholeOptions = {}): Promise<void> {
  whole = await Whole.start(options);
  api = await whole.api();
}

afterEach(() => expectSoundEnd(whole));

const withMemory = (megabytes: number) => ({ memory: { physical_mb: megabytes } });

it('CBK-02: the inventory is that of the newest inspection; an older one is found as of its time', async () => {
  await start();
  const uuid = await api.machine({ mac: MAC });
  const shown: unknown[] = [];
  for (const megabytes of [4096, 8192]) {
    await api.inspect(uuid);
    expect((await api.data(MAC, withMemory(megabytes))).status).toBe(202);
    shown.push((await api.inventory(uuid)).body.inventory.memory.physical_mb);
  }
  expect(shown).toEqual([4096, 8192]);
  const [, second] = await api.events(uuid, 'InspectionStarted');
  const { log } = whole.stored;
  const before = await log.readStream(nodeStreamId(uuid), 0, second!.version);
  const { node } = foldRecorded({ version: 0, stream: emptyStream }, before).stream;
  const blob = await log.readBlob(node!.inventory!.inventory);
  expect(JSON.parse(Buffer.from(blob!).toString('utf8'))).toMatchObject(withMemory(4096));
});

it('CBK-18: stored data is processed again, twice, each an attempt with its own times, and the machine is left alone', async () => {
  await start();
  const uuid = await api.machine({ mac: MAC });
  const rule = (shelf: string) => ({
    actions: [{ op: 'set-attribute', args: { path: '/extra/shelf', value: shelf } }],
    conditions: [],
    priority: 5,
  });
  await api.inspect(uuid);
  expect((await api.data(MAC, withMemory(4096))).status).toBe(202);
  const asked = () => whole.script.calls('inspect').length + whole.script.calls('power').length;
  const [before, inventory] = [asked(), (await api.inventory(uuid)).body.inventory];
  for (const shelf of ['7', '8']) {
    const made = await api.must(201, 'POST', '/v1/inspection_rules', rule(shelf));
    await whole.pass(60_000);
    await api.must(202, 'POST', `/ferrolog/v1/nodes/${uuid}/inventory/reprocess`);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', extra: { shelf } });
    await api.must(204, 'DELETE', `/v1/inspection_rules/${made.body.uuid}`);
  }
  expect((await api.inventory(uuid)).body.inventory).toEqual(inventory);
  const attempts = await api.events(uuid, 'InspectionStarted');
  expect(attempts.map(({ data }) => [data['attempt'], data['reprocesses']])).toEqual([
    [1, undefined],
    [2, 1],
    [3, 1],
  ]);
  expect(new Set(attempts.map(({ data }) => data['at'])).size).toBe(3);
  expect(await api.endings(uuid)).toEqual(['InspectionFinished', 'InspectionFinished', 'InspectionFinished']);
  expect(asked()).toBe(before);
});

it('CBK-18: data that a rule has failed is processed again once that rule is gone', async () => {
  await start();
  const uuid = await api.machine({ mac: MAC });
  const path = `/ferrolog/v1/nodes/${uuid}/inventory/reprocess`;
  expect((await api.call('POST', path)).status).toBe(404);
  const fails = { actions: [{ op: 'fail', args: { msg: 'not this rack' } }], conditions: [], priority: 5 };
  const made = await api.must(201, 'POST', '/v1/inspection_rules', fails);
  await api.inspect(uuid);
  expect((await api.data(MAC, withMemory(4096))).status).toBe(202);
  expect(await api.node(uuid)).toMatchObject({ last_error: expect.stringContaining('not this rack') });
  await api.must(204, 'DELETE', `/v1/inspection_rules/${made.body.uuid}`);
  await api.must(202, 'POST', path);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  expect((await api.inventory(uuid)).body.inventory).toMatchObject(withMemory(4096));
});

/** Ten inspections in a row, each accepted and finished. */
async function inspectedTenTimes(store: OpenStore): Promise<void> {
  await start({ store });
  const uuid = await api.machine({ mac: MAC });
  await whole.until('manageable', async () => (await api.state(uuid)) === 'manageable');
  for (let cycle = 1; cycle <= 10; cycle += 1) {
    await api.inspect(uuid);
    await whole.until('the wait', async () => (await api.state(uuid)) === 'inspect wait');
    expect((await api.data(MAC, withMemory(cycle))).status).toBe(202);
    await whole.until('the end', async () => (await api.state(uuid)) === 'manageable');
  }
  expect((await api.inventory(uuid)).body.inventory).toMatchObject(withMemory(10));
  expect(await api.endings(uuid)).toEqual(Array.from({ length: 10 }, () => 'InspectionFinished'));
}

it.each([
  ['memory', inMemory],
  ['SQLite', inSqlite],
])('CBK-03: a node is inspected any number of times (%s)', (_name, store) => inspectedTenTimes(store));

describeWithPostgres('in PostgreSQL', () => {
  let server: ScratchPostgres;
  beforeAll(async () => void (server = await startPostgres()), 60_000);
  afterAll(() => server.stop());

  it('CBK-03: a node is inspected any number of times (PostgreSQL)', () => inspectedTenTimes(inPostgres(server)));
});

it.each([
  ['is away', 503, new LogUnavailable('the disk is away')],
  ['breaks in a way that nobody foresaw', 500, new TypeError('cannot read properties of undefined')],
])(
  'CBK-05: data that meets a store which %s is answered %i, and taken when it comes again',
  async (_how, status, error) => {
    const fault = new AppendFault();
    await start({ faulty: fault.of });
    const uuid = await api.waiting({ mac: MAC });
    const before = await api.events(uuid);
    fault.check = () => {
      throw error;
    };
    const refused = await api.data(MAC);
    expect(refused.status).toBe(status);
    expect(refused.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/);
    expect(refused.body.error_message).toBeDefined();
    fault.check = null;
    expect(await api.events(uuid)).toEqual(before);
    expect(await api.state(uuid)).toBe('inspect wait');
    expect((await api.data(MAC)).status).toBe(202);
    expect(await api.state(uuid)).toBe('manageable');
    // The 500 is what the report asks for.
    whole.statuses.splice(whole.statuses.indexOf(status), 1);
  },
);

it('CBK-05: what the ramdisk did wrong stays its own fault: 4xx', async () => {
  await start();
  await api.waiting({ mac: MAC });
  const posts = [{}, { inventory: {} }, { inventory: { interfaces: [] } }, '{', '[]', payload('no mac')];
  const answers = await Promise.all(posts.map((body) => api.call('POST', '/v1/continue_inspection', body)));
  expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 400));
});

it('CBK-06: a heartbeat whose agent is not known yet is told at once that the node is busy', async () => {
  await start();
  const uuid = await api.machine(fastTrack);
  const token = await api.token(uuid);
  const held = whole.script.hold('power');
  await api.power(uuid, 'power on');
  const from = whole.clock.now();
  const { status, text } = await api.heartbeat(uuid, token);
  expect([status, text, whole.clock.now()]).toEqual([409, expect.stringContaining('conductor-1'), from]);
  held.answer({ powerState: 'power on', changed: true });
  await whole.settle();
  expect((await api.heartbeat(uuid, token)).status).toBe(202);
  expect((await api.node(uuid)).driver_internal_info).toMatchObject({ agent_url: AGENT_URL });
});

it('CBK-08: heartbeats that meet a busy node leave no error on it', async () => {
  await start();
  const uuid = await api.waiting({ mac: MAC });
  const token = await api.token(uuid);
  const held = whole.script.hold('power');
  await api.data(MAC);
  const seen: unknown[] = [];
  for (let beat = 0; beat < 50; beat += 1) {
    const { status } = await api.heartbeat(uuid, token);
    const { provision_state: state, last_error: error } = await api.node(uuid);
    seen.push([status, state, error]);
    await whole.pass(50);
  }
  expect(seen).toEqual(seen.map(() => [409, 'inspecting', null]));
  held.answer({ powerState: 'power off', changed: true });
  await whole.settle();
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  expect(await api.history(uuid)).toEqual([]);
});

it('CBK-09: no heartbeat moves the address of an agent', async () => {
  await start();
  const uuid = await api.machine(fastTrack);
  const token = await api.token(uuid);
  const beat = async (url: string) => (await api.heartbeat(uuid, token, { callback_url: url })).status;
  for (const odd of ['ftp://192.0.2.10', 'javascript:1', '192.0.2.10:9999', '//192.0.2.10']) {
    expect(await beat(odd)).toBe(400);
  }
  expect((await api.node(uuid)).driver_internal_info).not.toHaveProperty('agent_url');
  expect(await beat(AGENT_URL)).toBe(202);
  for (const other of ['https://192.0.2.66:9999', 'ftp://192.0.2.10', '']) expect(await beat(other)).toBe(400);
  expect(await beat(AGENT_URL)).toBe(202);
  expect((await api.node(uuid)).driver_internal_info).toMatchObject({ agent_url: AGENT_URL });
});

it.each([
  ['no type at all', {}],
  ['a type with a charset', { 'Content-Type': 'application/json; charset=utf-8' }],
  ['the type of plain text', { 'Content-Type': 'text/plain' }],
])('CBK-13: data with %s is taken whole', async (_what, headers) => {
  await start();
  const uuid = await api.waiting({ mac: MAC });
  const body = JSON.stringify(payload(MAC, withMemory(4096)));
  const { status, text } = await api.call(
    'POST',
    '/v1/continue_inspection',
    body,
    '1.84',
    headers as Record<string, string>,
  );
  expect([status, text]).toEqual([202, expect.stringContaining(uuid)]);
  expect((await api.inventory(uuid)).body.inventory).toMatchObject(withMemory(4096));
});

it('CBK-14: data that cannot be stored is refused before anything is recorded', async () => {
  const fault = new AppendFault();
  await start({ faulty: fault.of });
  const uuid = await api.waiting({ mac: MAC });
  fault.check = ({ blobs = [] }) => {
    if (blobs.length > 0) throw new LogUnavailable('no room for large things');
  };
  const before = await api.events(uuid);
  expect((await api.data(MAC)).status).toBe(503);
  expect(await api.events(uuid)).toEqual(before);
  fault.check = null;
  expect((await api.data(MAC)).status).toBe(202);
  expect(await api.state(uuid)).toBe('manageable');
});

it('CBK-14: when only what the hooks made of it cannot be stored, the attempt fails with that reason', async () => {
  const fault = new AppendFault();
  await start({ faulty: fault.of });
  const uuid = await api.waiting({ mac: MAC });
  fault.check = ({ blobs = [], fences = [] }) => {
    if (blobs.length > 0 && fences.length > 0) throw new LogUnavailable('no room for large things');
  };
  expect((await api.data(MAC)).status).toBe(202);
  await whole.pass(60_000);
  expect(await api.node(uuid)).toMatchObject({
    provision_state: 'inspect failed',
    last_error: expect.stringMatching(/^Failed to finish inspection: .*no room for large things/),
    reservation: null,
  });
  expect(fault.refused).toBeGreaterThan(1);
  expect(await api.endings(uuid)).toEqual(['InspectionFailed']);
});

it('CBK-14: a store that is away for a while costs an inspection nothing', async () => {
  const fault = new AppendFault();
  await start({ faulty: fault.of });
  const uuid = await api.waiting({ mac: MAC });
  const held = whole.script.hold('power');
  await api.data(MAC);
  fault.check = () => {
    throw new LogUnavailable('the disk is away');
  };
  held.answer({ powerState: 'power off', changed: true });
  await whole.pass(30_000);
  expect(await api.state(uuid)).toBe('inspecting');
  fault.check = null;
  whole.script.obey('power');
  await whole.pass(30_000);
  expect(await api.state(uuid)).toBe('manageable');
});

it('CBK-17: the times of an inspection are set and cleared with its start and its end', async () => {
  await start({ settings: { conductor: { inspect_wait_timeout: 60 } } });
  const uuid = await api.machine({ mac: MAC });
  const times = async () => {
    const { inspection_started_at: started, inspection_finished_at: finished } = await api.node(uuid);
    return [started, finished] as unknown[];
  };
  const at = (time: string): string => `2026-11-30T${time}.000000+00:00`;
  expect(await times()).toEqual([null, null]);

  await whole.pass(1_000);
  await api.inspect(uuid);
  expect(await times()).toEqual([at('08:00:01'), null]);
  await whole.pass(1_000);
  await api.data(MAC);
  expect(await times()).toEqual([null, at('08:00:02')]);

  await whole.pass(1_000);
  await api.inspect(uuid);
  expect(await times()).toEqual([at('08:00:03'), null]);
  await api.provision(uuid, 'abort');
  expect(await times()).toEqual([null, null]);

  await api.inspect(uuid);
  await api.call('POST', '/v1/continue_inspection', { ...payload(MAC), error: 'no disks' });
  expect([await api.state(uuid), ...(await times())]).toEqual(['inspect failed', null, null]);

  await api.inspect(uuid);
  await whole.pass(60_000);
  expect([await api.state(uuid), ...(await times())]).toEqual(['inspect failed', null, null]);

  await api.inspect(uuid);
  expect(await times()).toEqual([at('08:01:03'), null]);
  await api.data(MAC);
  expect(await times()).toEqual([null, at('08:01:03')]);
});

it('CBK-19: posted data is a sign of life, and the agent is heard again when it is processed', async () => {
  let slow: (() => void)[] = [];
  const readBlob = async (hash: string) => {
    await new Promise<void>((resolve) => slow.push(resolve));
    return whole.stored.log.readBlob(hash);
  };
  await start({ faulty: (log) => faultyLog(log, { readBlob }) });
  const uuid = await api.waiting({ mac: MAC, ...fastTrack });
  const token = await api.token(uuid);
  await whole.pass(7_000);
  await api.data(MAC);
  expect([await api.state(uuid), (await api.heartbeat(uuid, token)).status]).toEqual(['inspecting', 409]);
  for (; slow.length > 0; await whole.settle()) {
    const waiting = slow;
    slow = [];
    for (const go of waiting) go();
  }
  expect(await api.state(uuid)).toBe('manageable');
  const info = async () => (await api.node(uuid)).driver_internal_info as unknown;
  expect(await info()).toMatchObject({ agent_last_heartbeat: '2026-11-30T08:00:07.000000' });
  expect((await api.heartbeat(uuid, token)).status).toBe(202);
  expect(await info()).toMatchObject({ agent_url: AGENT_URL });
});
