/** Reports on abort and its races. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Whole, payload, type Client, type Values } from '../whole';
import { expectSoundEnd } from './row';

const MAC = '52:54:00:00:00:01';

let whole: Whole;
let api: Client;

async function start(settings: Values = {}): Promise<void> {
  whole = await Whole.start({ settings });
  api = await whole.api();
}

const powerCalls = (uuid: string): unknown[] => whole.script.calls('power', uuid).map(({ wanted }) => wanted);

afterEach(() => expectSoundEnd(whole));

it.each(['agent', 'inspector'] as const)(
  'ABT-01: an abort (%s) ends the attempt once, and says why',
  async (inspect) => {
    await start();
    const uuid = await api.waiting({ inspect });
    expect((await api.provision(uuid, 'abort', '1.41')).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({
      provision_state: 'inspect failed',
      last_error: 'Inspection was aborted by request.',
    });
    await whole.pass(3_600_000);
    expect(await api.endings(uuid)).toEqual(['InspectionAborted']);
    expect((await api.history(uuid)).map(({ event }) => event)).toEqual(['Inspection was aborted by request.']);
    expect(whole.errors).toEqual([]);
  },
);

it('ABT-02: an abort is seen at once by every api and every subscriber', async () => {
  await start();
  const other = await whole.api();
  await whole.publisher();
  const uuid = await api.waiting({ inspect: 'inspector' });
  const heard: string[] = [];
  whole.stream.onPublished(({ subject }) => heard.push(subject));
  const [from, { status }] = [whole.clock.now(), await api.provision(uuid, 'abort')];
  expect(status).toBe(202);
  expect(await api.state(uuid)).toBe('inspect failed');
  expect(await other.state(uuid)).toBe('inspect failed');
  expect(heard).toContainEqual(`whole.v1.evt.inspection.aborted.${uuid}`);
  expect(whole.clock.now()).toBe(from);
});

it('ABT-04: an interface that cannot abort answers 400 and stores nothing; the deadline stays [1.20, 2.5, 2.12, 2.16]', async () => {
  await start({ conductor: { inspect_wait_timeout: 5 } });
  whole.script.play('inspect', () => ({ returned: 'INSPECTWAIT' }));
  const uuid = await api.waiting({ inspect: 'fake' });
  const before = await api.events(uuid);
  const { status, text } = await api.provision(uuid, 'abort');
  expect([status, text]).toEqual([400, expect.stringContaining('abort')]);
  expect(await api.events(uuid)).toEqual(before);
  await whole.pass(4_999);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'inspect wait', last_error: null });
  await whole.pass(1);
  expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
});

it('ABT-05: an abort while the start is open is refused at once, naming the holder, and works a moment later [2.1]', async () => {
  await start();
  const slow = whole.script.hold('inspect');
  const uuid = await api.machine();
  await api.inspect(uuid);
  await whole.pass(1_000);
  const [before, from] = [await api.events(uuid), whole.clock.now()];
  const { status, text } = await api.provision(uuid, 'abort');
  expect([status, text]).toEqual([409, expect.stringContaining('conductor-1')]);
  expect([await api.events(uuid), whole.clock.now()]).toEqual([before, from]);
  await whole.pass(2_000);
  slow.answer({ returned: 'INSPECTWAIT', manageBoot: false });
  await whole.pass(1_000);
  expect((await api.provision(uuid, 'abort')).status).toBe(202);
  expect(await api.endings(uuid)).toEqual(['InspectionAborted']);
});

it('ABT-05: while data is processed an abort is refused as well, and nothing of it is left', async () => {
  await start();
  const uuid = await api.waiting({ mac: MAC });
  const slow = whole.script.hold('power');
  expect((await api.data(MAC)).status).toBe(202);
  expect(await api.state(uuid)).toBe('inspecting');
  expect((await api.provision(uuid, 'abort')).status).toBe(409);
  slow.answer({ powerState: 'power off', changed: true });
  await whole.settle();
  expect(await api.endings(uuid)).toEqual(['InspectionFinished']);
});

it.each(['agent', 'inspector'] as const)(
  'ABT-06: after an abort (%s) clients read the word and manage the node [2.19]',
  async (inspect) => {
    await start();
    const uuid = await api.waiting({ inspect });
    await api.provision(uuid, 'abort');
    expect(await api.node(uuid)).toMatchObject({
      provision_state: 'inspect failed',
      target_provision_state: 'manageable',
      last_error: expect.stringContaining('aborted'),
    });
    expect((await api.provision(uuid, 'manage')).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', target_provision_state: null });
    expect((await api.power(uuid, 'power off')).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ power_state: 'power off', target_power_state: null });
  },
);

it.each([
  ['powers the machine off', {}, {}, ['power off']],
  ['leaves a fast track machine on', {}, { driver_info: { fast_track: true } }, []],
  ['leaves it on where the settings say so', { inspector: { power_off: false } }, {}, []],
  ['reboots one that must not be off', {}, { disable_power_off: true }, ['rebooting']],
])('ABT-07: an abort %s', async (_what, settings, fields, calls) => {
  await start(settings);
  const uuid = await api.waiting({ fields });
  whole.script.asked.length = 0;
  await api.provision(uuid, 'abort');
  await whole.pass(60_000);
  expect(powerCalls(uuid)).toEqual(calls);
  expect(await api.endings(uuid)).toEqual(['InspectionAborted']);
});

it('ABT-08: token and address of an agent do not outlive the attempt', async () => {
  await start();
  const uuid = await api.waiting();
  const first = await api.token(uuid);
  await api.provision(uuid, 'abort');
  await api.inspect(uuid);
  expect((await api.heartbeat(uuid, first)).status).toBe(400);
  const second = await api.token(uuid);
  expect(second).toMatch(/^[\w-]{43}$/);
  expect(second).not.toBe(first);
  expect((await api.heartbeat(uuid, first)).status).toBe(400);
  expect((await api.heartbeat(uuid, second)).status).toBe(202);
});

it('ABT-08: nor does an address that fast track keeps', async () => {
  await start();
  const uuid = await api.machine({ fields: { driver_info: { fast_track: true } } });
  const known = async () => Object.keys((await api.node(uuid)).driver_internal_info as object);
  await api.heartbeat(uuid, await api.token(uuid));
  expect(await known()).toEqual(expect.arrayContaining(['agent_url', 'agent_secret_token']));
  await api.inspect(uuid);
  expect(await known()).not.toEqual(expect.arrayContaining(['agent_url']));
  expect(await known()).not.toEqual(expect.arrayContaining(['agent_secret_token']));
  await api.token(uuid);
  expect(await known()).toEqual(expect.arrayContaining(['agent_secret_token']));
  await api.provision(uuid, 'abort');
  expect(await known()).not.toEqual(expect.arrayContaining(['agent_secret_token']));
});

it('ABT-09: a conductor that dies behind the abort leaves its clean-up to the next, which does it once', async () => {
  await start();
  const [dying] = whole.conductors;
  const uuid = await api.waiting({ fields: { driver_info: { ipmi_address: '192.0.2.7' } } });
  whole.stored.log.onCommit((events) => {
    if (events.some(({ type }) => type === 'InspectionAborted')) dying?.kill();
  });
  const asked = api.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' });
  await whole.until('the abort', async () => (await api.state(uuid)) === 'inspect failed');
  await whole.pass(20_000);
  expect(powerCalls(uuid)).toEqual([]);
  await whole.conductor();
  await whole.pass(20_000);
  expect(powerCalls(uuid)).toEqual(['power off']);
  expect(await api.node(uuid)).toMatchObject({
    power_state: 'power off',
    last_error: 'Inspection was aborted by request.',
    reservation: null,
  });
  // Nobody answered; the command was sent again and its outcome found in the log.
  expect((await whole.during(asked, 1000)).answer.status).toBe(202);
  await whole.pass(60_000);
  expect(powerCalls(uuid)).toEqual(['power off']);
});

const moments: readonly (() => Promise<unknown>)[] = [
  () => Promise.resolve(),
  () => nextTurn(),
  () => sleep(1),
  () => sleep(3),
  () => sleep(5),
];

it.each([0, 1, 2])('ABT-10: of an abort and data at the same moment exactly one wins (machine %i)', async (seed) => {
  const rounds = 25;
  await start();
  const uuid = await api.machine({ mac: MAC });
  const abort = () => api.send('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'abort' });
  const data = () => api.send('POST', '/v1/continue_inspection', payload(MAC));
  const outcomes: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await api.inspect(uuid);
    const later = moments[(round + seed) % moments.length]!;
    const isAbortFirst = (round + seed) % 2 === 0;
    const asked = isAbortFirst ? [abort(), later().then(data)] : [later().then(abort), data()];
    const { answer } = await whole.during(Promise.all(asked));
    await whole.settle();
    outcomes.push([...answer.map(({ status }) => status), await api.state(uuid)].join(' '));
  }
  const allowed = /^(202 (404|409) inspect failed|(400|409) 202 manageable)$/;
  expect(outcomes.filter((outcome) => !allowed.test(outcome))).toEqual([]);
  expect(new Set(outcomes.map((outcome) => outcome.startsWith('202')))).toEqual(new Set([true, false]));
  expect(await api.endings(uuid)).toEqual(
    outcomes.map((outcome) => (outcome.startsWith('202') ? 'InspectionAborted' : 'InspectionFinished')),
  );
});
