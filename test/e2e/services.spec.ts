import { startBroker, type Broker } from '@lib/testing';
import { existsSync } from 'node:fs';
import {
  Api,
  discard,
  enroll,
  httpCall,
  inspect,
  inspectorState,
  inspectorWaits,
  macOf,
  ramdiskReport,
  sleep,
  SERVICES,
  startStack,
  until,
  type Answer,
  type Settings,
  type ShownEvent,
  type Stack,
} from '../stack';

/** Services killed, stopped and started again around an inspection: nothing lost, nothing early, nothing twice. */
const START_TIMEOUT_MS = 240_000;
const TEST_TIMEOUT_MS = 180_000;
jest.setTimeout(TEST_TIMEOUT_MS);

const SETTINGS: Settings = {
  DEFAULT: { enabled_inspect_interfaces: 'inspector, fake, no-inspect' },
  conductor: { inspect_wait_timeout: '1800', automated_clean: 'false' },
  inspector: { status_check_period: '1', require_managed_boot: 'false' },
};
const ENDINGS = /^Inspection(Finished|Failed|TimedOut|Aborted|Removed)$/;

let macs = 0;
const nextMac = (): string => macOf((macs += 1));
const started: Stack[] = [];
const open = async (options: Parameters<typeof startStack>[0] = {}): Promise<Stack> => {
  const stack = await startStack({ settings: SETTINGS, ...options });
  started.push(stack);
  return stack;
};
const endings = (events: readonly ShownEvent[]): string[] =>
  events.map(({ type }) => type).filter((type) => ENDINGS.test(type));
const alive = (pid: number): boolean => existsSync(`/proc/${pid}`);
/** A call that may lose its connection: then there is no answer. */
const answerOf = (call: Promise<Answer>): Promise<number> => call.then(({ status }) => status).catch(() => 0);
/** Accepted, or "outcome unknown": what an abort may be answered that has happened while its conductor died. */
const acceptedOrUnknown = async (call: Promise<Answer>): Promise<void> => {
  const { status, text } = await call;
  expect([`202 ${text}`, `503 ${text}`]).toContain(`${status} ${text}`);
};
/** The first answer that is not "no conductor at the moment": one has just been started. */
const settled = (ask: () => Promise<Answer>): Promise<number> =>
  until('a conductor', async () => {
    const { status } = await ask();
    return status === 503 ? undefined : status;
  });

describe('services that die and come back', () => {
  let stack: Stack;
  let api: Api;
  let over = false;

  beforeAll(async () => {
    stack = await open();
    api = new Api(stack.apiUrl);
  }, START_TIMEOUT_MS);
  afterAll(async () => void (await Promise.all(started.splice(0).map((each) => each.stop()))), 60_000);

  const inspecting = async (inspectWaitTimeout = 0): Promise<string> => {
    const uuid = await enroll(api, { mac: nextMac(), inspectWaitTimeout });
    await inspect(api, uuid);
    await inspectorWaits(stack.inspectorUrl, uuid);
    return uuid;
  };
  /** A test that fails halfway must not take the next ones with it. */
  afterEach(async () => {
    if (over || stack === undefined) return;
    const dead = SERVICES.filter((service) => stack.exitOf(service) !== null);
    for (const service of SERVICES) await stack.kill(service, 'SIGCONT');
    await stack.restart(...dead);
  });
  const aborted = async (uuid: string): Promise<void> => {
    const node = await api.state(uuid, 'inspect failed', { timeoutMs: 60_000 });
    expect(node.last_error?.toLowerCase()).toContain('aborted');
    expect(endings(await api.events(uuid))).toEqual(['InspectionAborted']);
    expect((await api.history(uuid)).filter(({ event }) => event.toLowerCase().includes('aborted'))).toHaveLength(1);
  };
  it('each service keeps its process id in a file', () => {
    const pids = SERVICES.map((service) => stack.pid(service));
    expect(pids.every(alive)).toBe(true);
    expect(new Set(pids).size).toBe(SERVICES.length);
  });

  it('an abort in the very moment in which the wait begins is accepted, although the inspector is still starting', async () => {
    const uuid = await enroll(api, { mac: nextMac(), inspectWaitTimeout: 0 });
    await api.must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    await api.state(uuid, 'inspect wait', { everyMs: 1 });
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    await aborted(uuid);
    await discard(api, uuid);
  });

  describe('kill -9 of the conductor during an abort', () => {
    it('before it has heard of it: the abort happened once or not at all, and the answer says so', async () => {
      const uuid = await inspecting();
      await stack.kill('conductor', 'SIGSTOP');
      const answer = api.provision(uuid, 'abort');
      await sleep(300);
      await stack.kill('conductor', 'SIGKILL');
      await stack.restart('conductor');
      await acceptedOrUnknown(answer);
      if ((await answer).status === 503 && (await api.node(uuid)).provision_state === 'inspect wait') {
        expect(await settled(() => api.provision(uuid, 'abort'))).toBe(202);
      }
      await aborted(uuid);
      await discard(api, uuid);
    });

    it('after the intent, before the inspector has heard of it: it is asked again', async () => {
      const uuid = await inspecting();
      await stack.kill('inspector-simulator', 'SIGSTOP');
      const answer = api.provision(uuid, 'abort');
      await api.event(uuid, 'InspectionAbortRequested');
      await stack.kill('conductor', 'SIGKILL');
      await stack.kill('inspector-simulator', 'SIGCONT');
      await stack.restart('conductor');
      await aborted(uuid);
      await acceptedOrUnknown(answer);
      await discard(api, uuid);
    });

    it('after the inspector has aborted, before that is recorded: it is recorded after all', async () => {
      const uuid = await inspecting();
      await stack.kill('inspector-simulator', 'SIGSTOP');
      const answer = api.provision(uuid, 'abort');
      await api.event(uuid, 'InspectionAbortRequested');
      // The event is seen before the conductor's call is on its way to the inspector; on a busy machine long before.
      await sleep(2000);
      await stack.kill('conductor', 'SIGSTOP');
      await stack.kill('inspector-simulator', 'SIGCONT');
      // It answers at once, and ends with switching the machine off: for that it needs the conductor, who stands still.
      await until('the inspector aborts', async () => (await inspectorState(stack.inspectorUrl, uuid)) !== 'waiting');
      expect(endings(await api.events(uuid))).toEqual([]);
      await stack.kill('conductor', 'SIGKILL');
      await stack.restart('conductor');
      await aborted(uuid);
      await acceptedOrUnknown(answer);
      await discard(api, uuid);
    });

    it('after the ending, around the reply: it stays ended, and the same wish again is refused', async () => {
      const uuid = await inspecting();
      const answer = api.provision(uuid, 'abort');
      await until('the ending', async () => (await api.node(uuid)).provision_state === 'inspect failed', {
        everyMs: 1,
      });
      await stack.kill('conductor', 'SIGKILL');
      await stack.restart('conductor');
      await acceptedOrUnknown(answer);
      expect(await settled(() => api.provision(uuid, 'abort'))).toBe(400);
      await aborted(uuid);
      await discard(api, uuid);
    });
  });

  it('kill -9 of the api during an abort: the abort is not lost, and the next api shows it', async () => {
    const uuid = await inspecting();
    await stack.kill('inspector-simulator', 'SIGSTOP');
    const answer = answerOf(api.provision(uuid, 'abort'));
    await api.event(uuid, 'InspectionAbortRequested');
    await stack.kill('api', 'SIGKILL');
    await stack.kill('inspector-simulator', 'SIGCONT');
    expect(await answer).toBe(0);
    await stack.restart('api');
    await aborted(uuid);
    await discard(api, uuid);
  });

  it('kill -9 of the conductor as soon as it has accepted an inspection: the inspection goes on', async () => {
    const mac = nextMac();
    const uuid = await enroll(api, { mac, inspectWaitTimeout: 0 });
    expect((await api.provision(uuid, 'inspect')).status).toBe(202);
    await stack.kill('conductor', 'SIGKILL');
    await stack.restart('conductor');
    await api.state(uuid, 'inspect wait', { timeoutMs: 60_000 });
    await until('the callback is taken', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify(ramdiskReport(mac));
      return (
        (await httpCall(stack.inspectorUrl, { method: 'POST', path: '/v1/continue', headers, body })).status === 200
      );
    });
    await api.state(uuid, 'manageable');
    expect(endings(await api.events(uuid))).toEqual(['InspectionFinished']);
    await discard(api, uuid);
  });

  const timedOut = async (uuid: string): Promise<void> => {
    const node = await api.state(uuid, 'inspect failed', { timeoutMs: 60_000 });
    expect(node.last_error?.toLowerCase()).toContain('timeout reached');
    const events = await api.events(uuid);
    expect(endings(events)).toEqual(['InspectionTimedOut']);
    const { at, deadline } = events.find(({ type }) => type === 'InspectionTimedOut')?.data as {
      at: number;
      deadline: { due: number };
    };
    expect(at).toBeGreaterThanOrEqual(deadline.due);
  };

  it('kill -9 of the scheduler before a deadline: the timeout comes, not early, and once', async () => {
    const uuid = await inspecting(4);
    await stack.kill('scheduler', 'SIGKILL');
    await stack.restart('scheduler');
    await stack.kill('scheduler', 'SIGKILL');
    await stack.restart('scheduler');
    await timedOut(uuid);
    await sleep(1_500); // Longer than the scheduler's own look: a second timeout would have come by now.
    expect(endings(await api.events(uuid))).toHaveLength(1);
    await discard(api, uuid);
  });

  it('deadlines that pass while the scheduler is down are all overdue at its start', async () => {
    await stack.kill('scheduler', 'SIGTERM');
    const uuids = await Promise.all([1, 2, 3].map(() => inspecting(2)));
    await sleep(2_500);
    const states = await Promise.all(uuids.map(async (uuid) => (await api.node(uuid)).provision_state));
    expect(states).toEqual(['inspect wait', 'inspect wait', 'inspect wait']);
    await stack.restart('scheduler');
    for (const uuid of uuids) await timedOut(uuid);
    for (const uuid of uuids) await discard(api, uuid);
  });

  it('deadlines that pass while everything is down are all overdue at the start', async () => {
    const uuids = await Promise.all([1, 2].map(() => inspecting(3)));
    for (const service of SERVICES) await stack.kill(service, 'SIGKILL');
    await sleep(3_500);
    await stack.restart(...SERVICES);
    for (const uuid of uuids) await timedOut(uuid);
    for (const uuid of uuids) await discard(api, uuid);
  });

  it('an inspection that waits survives a restart of everything [1.5, 1.22]', async () => {
    const uuid = await inspecting();
    for (const service of SERVICES) await stack.kill(service, 'SIGTERM');
    await stack.restart(...SERVICES);
    expect((await api.node(uuid)).provision_state).toBe('inspect wait');
    expect(await settled(() => api.provision(uuid, 'abort'))).toBe(202);
    await aborted(uuid);
    await discard(api, uuid);
  });

  it('SIGTERM ends each service by itself, with exit code 0', async () => {
    over = true;
    const stopped = await stack.stop();
    expect(stopped.map(({ name }) => name).sort()).toEqual([...SERVICES].sort());
    for (const { name, how, exit } of stopped)
      expect({ name, how, exit }).toEqual({ name, how: 'ended', exit: { code: 0, signal: null } });
  });
});

describe('one command for all services', () => {
  it('ends all of them on SIGTERM', async () => {
    const stack = await open({ layout: 'up' });
    const pids = SERVICES.map((service) => stack.pid(service));
    expect(pids.every(alive)).toBe(true);
    const [up] = await stack.stop();
    expect(up).toMatchObject({ how: 'ended', exit: { code: 0, signal: null } });
    await until('all services are gone', () => !pids.some(alive), { timeoutMs: 10_000 });
  });

  it('starts a service again that dies', async () => {
    const stack = await open({ layout: 'up' });
    const api = new Api(stack.apiUrl);
    const before = stack.pid('conductor');
    await stack.kill('conductor', 'SIGKILL');
    await until('another conductor', () => stack.pid('conductor') !== before && alive(stack.pid('conductor')));
    const uuid = await until('a machine can be enrolled', () => enroll(api, { mac: nextMac() }).catch(() => undefined));
    await inspect(api, uuid);
    await inspectorWaits(stack.inspectorUrl, uuid);
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    await stack.stop();
  });

  it('in a single process, needs no broker', async () => {
    const stack = await open({ layout: 'single' });
    const api = new Api(stack.apiUrl);
    const uuid = await enroll(api, { mac: nextMac() });
    await inspect(api, uuid);
    await inspectorWaits(stack.inspectorUrl, uuid);
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    expect((await api.node(uuid)).provision_state).toBe('inspect failed');
    const [up] = await stack.stop();
    expect(up).toMatchObject({ how: 'ended', exit: { code: 0, signal: null } });
  });
});

describe('two stacks on one broker', () => {
  let broker: Broker;
  beforeAll(async () => void (broker = await startBroker()));
  afterAll(async () => {
    await Promise.all(started.splice(0).map((each) => each.stop()));
    await broker.stop();
  }, 60_000);

  it(
    'keep apart by their prefix, also for a node of the same uuid',
    async () => {
      const [left, right] = await Promise.all(
        ['left', 'right'].map((busPrefix) => open({ natsUrl: broker.url, busPrefix })),
      );
      if (left === undefined || right === undefined) throw new Error('no stacks');
      const [here, there] = [new Api(left.apiUrl), new Api(right.apiUrl)];
      const machine = { uuid: '5a1e0000-0000-4000-8000-000000000001', mac: nextMac(), inspectWaitTimeout: 0 };
      await Promise.all([enroll(here, machine), enroll(there, machine)]);
      await Promise.all([inspect(here, machine.uuid), inspect(there, machine.uuid)]);
      await Promise.all([left, right].map((stack) => inspectorWaits(stack.inspectorUrl, machine.uuid)));
      expect((await here.provision(machine.uuid, 'abort')).status).toBe(202);
      expect((await here.node(machine.uuid)).provision_state).toBe('inspect failed');
      await sleep(1_500); // Longer than a status poll: whatever could cross over has done so.
      expect((await there.node(machine.uuid)).provision_state).toBe('inspect wait');
      expect(endings(await there.events(machine.uuid))).toEqual([]);
      expect((await there.provision(machine.uuid, 'abort')).status).toBe(202);
    },
    START_TIMEOUT_MS,
  );
});
