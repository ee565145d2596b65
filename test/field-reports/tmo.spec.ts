/** Reports on the timeout of `inspect wait`: not firing, firing wrongly, firing twice. */
import type { EventLog } from '@lib/ports';
import { Whole, type Client, type Values } from '../whole';
import { faultyLog } from './faults';
import { expectSoundEnd } from './row';

const MAC = '52:54:00:00:00:01';
const timeout = (seconds: number): Values => ({ conductor: { inspect_wait_timeout: seconds } });

let whole: Whole;
let api: Client;

async function start(settings: Values, rest: Omit<Parameters<typeof Whole.start>[0], 'settings'> = {}): Promise<void> {
  whole = await Whole.start({ settings, ...rest });
  api = await whole.api();
}

afterEach(() => expectSoundEnd(whole));

it.each(['agent', 'inspector'] as const)(
  'TMO-01: each attempt (%s) fails once, at its time, with a hint, and keeps its own record [1.1, 1.28]',
  async (inspect) => {
    await start(timeout(5));
    const uuid = await api.machine({ inspect });
    for (const attempt of [1, 2, 3]) {
      await api.inspect(uuid);
      await whole.pass(4_999);
      expect(await api.state(uuid)).toBe('inspect wait');
      await whole.pass(1);
      expect(await api.node(uuid)).toMatchObject({
        provision_state: 'inspect failed',
        target_provision_state: 'manageable',
        last_error: expect.stringMatching(
          new RegExp(`timeout .*\\(attempt ${attempt}\\).* ramdisk .*not have booted`, 'i'),
        ),
      });
      await whole.pass(60_000);
    }
    const recorded = await api.events(uuid, 'InspectionTimedOut');
    expect(recorded.map(({ data }) => data['attempt'])).toEqual([1, 2, 3]);
    const history = await api.history(uuid);
    expect(history.map(({ event }) => /timeout reached .*\(attempt (\d)\)/i.exec(event)?.[1])).toEqual(['1', '2', '3']);
  },
);

it('TMO-03: the failure names the last contact: none, a lookup, a heartbeat', async () => {
  await start(timeout(5));
  const [silent, booted, called] = [await api.waiting(), await api.waiting(), await api.waiting()];
  await whole.pass(1000);
  await api.lookup(booted!);
  const token = await api.token(called!);
  await whole.pass(1000);
  expect((await api.heartbeat(called!, token)).status).toBe(202);
  await whole.pass(3000);
  const texts = await Promise.all([silent, booted, called].map(async (uuid) => (await api.history(uuid!))[0]!.event));
  expect(texts).toEqual([
    expect.stringMatching(/no contact at all/),
    expect.stringMatching(/last contact .* lookup at 2026-11-30T08:00:01\.000Z/),
    expect.stringMatching(/last contact .* heartbeat at 2026-11-30T08:00:02\.000Z/),
  ]);
  const errors = await Promise.all([silent, booted, called].map(async (uuid) => (await api.node(uuid!)).last_error));
  expect(errors).toEqual(texts);
});

it.each([
  ['the timeout', timeout(0)],
  ['the check interval', { conductor: { inspect_wait_timeout: 5, check_provision_state_interval: 0 } }],
])('TMO-04: with 0 for %s the services start, and a node waits until its data comes [1.5]', async (_what, settings) => {
  await start(settings);
  const [heard, aborted] = [await api.waiting({ mac: MAC }), await api.waiting()];
  // Four times what the default would give it.
  await whole.pass(2 * 3600 * 1000);
  expect([await api.state(heard), await api.state(aborted)]).toEqual(['inspect wait', 'inspect wait']);
  expect((await api.data(MAC)).status).toBe(202);
  expect((await api.provision(aborted, 'abort')).status).toBe(202);
  expect([await api.state(heard), await api.state(aborted)]).toEqual(['manageable', 'inspect failed']);
});

/** A store that is slow to hand out what was posted, as a slow hook is to a node. */
const slowReading = (ms: number) => (log: EventLog) => {
  const readBlob = async (hash: string) => {
    await new Promise<void>((resolve) => whole.clock.after(ms, resolve));
    return log.readBlob(hash);
  };
  return faultyLog(log, { readBlob });
};

it('TMO-07: data that came in time is processed beyond the deadline, which is no longer there', async () => {
  await start(timeout(5), { faulty: slowReading(10_000) });
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(4_900);
  expect((await api.data(MAC)).status).toBe(202);
  await whole.pass(5_000);
  expect(await api.state(uuid)).toBe('inspecting');
  await whole.pass(5_100);
  expect(await api.state(uuid)).toBe('manageable');
  await whole.pass(60_000);
  expect(await api.endings(uuid)).toEqual(['InspectionFinished']);
});

it('TMO-08: a deadline dies with its attempt, and the next attempt has its full time', async () => {
  await start(timeout(5));
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(2_000);
  expect((await api.data(MAC)).status).toBe(202);
  await whole.pass(2_000);
  // A second before the first deadline would have passed.
  await api.inspect(uuid);
  await whole.pass(4_000);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'inspect wait', last_error: null });
  await whole.pass(999);
  expect(await api.state(uuid)).toBe('inspect wait');
  await whole.pass(1);
  expect(await api.endings(uuid)).toEqual(['InspectionFinished', 'InspectionTimedOut']);
});

it('TMO-08: a node that finished stays as it is', async () => {
  await start(timeout(5));
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(2_000);
  await api.data(MAC);
  await whole.pass(6_000);
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  expect(await api.endings(uuid)).toEqual(['InspectionFinished']);
});

it('TMO-09: data after the failure is refused and changes nothing', async () => {
  await start(timeout(3));
  const uuid = await api.waiting({ mac: MAC });
  await whole.pass(4_000);
  const before = await api.node(uuid);
  expect((await api.data(MAC)).status).toBe(404);
  await whole.pass(60_000);
  expect(await api.node(uuid)).toEqual(before);
  expect(before).toMatchObject({ provision_state: 'inspect failed' });
  expect((await api.inventory(uuid)).status).toBe(404);
  expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
});

it('TMO-13: a synchronous inspection that takes long is no wait, and no ramdisk is waited for [1.31]', async () => {
  await start(timeout(3));
  const held = whole.script.hold('inspect');
  const uuid = await api.machine({ inspect: 'fake' });
  await api.inspect(uuid);
  await whole.pass(8_000);
  expect(await api.state(uuid)).toBe('inspecting');
  held.answer({ returned: 'MANAGEABLE' });
  await whole.settle();
  expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', last_error: null });
  const types = (await api.events(uuid)).map(({ type }) => type);
  expect(types).not.toContain('InspectionWaiting');
  expect(await api.endings(uuid)).toEqual(['InspectionFinished']);
});

it('TMO-16: the time counts from the start of the attempt, not of the service', async () => {
  await start(timeout(5));
  await whole.pass(10_000);
  const uuid = await api.waiting();
  await whole.pass(4_999);
  expect(await api.state(uuid)).toBe('inspect wait');
  await whole.pass(1);
  expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
});
