import { specify } from '@lib/testing/specify';
import { provisionStates, isCallbackWait, isHold, nextState, waitTimeoutOf } from '../../states';
import type { ProvisionState } from '../../states';
import { decideElapsed } from '..';
import type { EffectValue, NodeCommand, NodeEvent, NodeFields } from '..';
import {
  HOST,
  available,
  contextAt,
  continued,
  done,
  elapse,
  endMaintenance,
  failed,
  heartbeat,
  interrupt,
  lookUp,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  policy,
  power,
  provision,
  remove,
  streamAfter,
} from '../spec';
import type { When } from '../spec';

const given = specify(nodeDecider, contextAt);
const step = (name: string, args?: Record<string, unknown>) => ({
  interface: 'deploy',
  step: name,
  ...(args ? { args } : {}),
});
const [one, two] = [step('one'), step('two')];
const withSteps = (target: string, ...steps: ReturnType<typeof step>[]): NodeCommand => ({
  ...provision(target),
  steps,
});
const paused = (abortable = true): EffectValue => ({ waits: { abortable } });

const active = (fields: Partial<NodeFields> = {}) =>
  continued(available(fields), [provision('active'), 6000], [done(3), 7000]);

/** The works that can wait: up to their start at 10000, the effect of that, and their states. */
const waitingWorks = [
  { verb: 'clean', past: manageable, n: 2, running: 'cleaning', wait: 'clean wait', failed: 'clean failed' },
  { verb: 'provide', past: manageable, n: 2, running: 'cleaning', wait: 'clean wait', failed: 'clean failed' },
  { verb: 'active', past: available, n: 3, running: 'deploying', wait: 'wait call-back', failed: 'deploy failed' },
  { verb: 'rescue', past: active, n: 4, running: 'rescuing', wait: 'rescue wait', failed: 'rescue failed' },
  { verb: 'service', past: active, n: 4, running: 'servicing', wait: 'service wait', failed: 'service failed' },
] as const;
type Waiting = (typeof waitingWorks)[number];
const DUE = 11_000 + 1_800_000;

const started = ({ verb, past }: Waiting) => continued(past(), [provision(verb), 10_000]);
/** Waits from 11000 on, under deadline 1. */
const waits = (work: Waiting, abortable = true, when: When = 11_000) =>
  continued(started(work), [done(work.n, paused(abortable)), when]);
/** Its ramdisk has looked it up. */
const known = (work: Waiting, abortable = true) => continued(waits(work, abortable), [lookUp('digest-1'), 12_000]);
const [clean, , deploy, rescue, service] = waitingWorks;

describe('steps', () => {
  const cleaning = () => continued(manageable(), [withSteps('clean', one, two), 10_000]);

  it('are taken one after the other, each as an effect of its own', () => {
    expect(nodeAfter(cleaning())).toMatchObject({
      effects: [{ n: 2, attempt: null, task: { kind: 'work', work: 'manual clean', step: one } }],
      work: { work: 'manual clean', steps: [one, two], index: 0 },
    });
    given(cleaning())
      .when(done(2), 11_000)
      .then({
        type: 'WorkStepDone',
        data: {
          at: 11_000,
          work: 'manual clean',
          step: 0,
          effect: 2,
          next: { n: 3, attempt: null, task: { kind: 'work', work: 'manual clean', step: two } },
          host: HOST,
        },
      });
    const second = continued(cleaning(), [done(2), 11_000]);
    expect(nodeAfter(second)).toMatchObject({
      provisionState: 'cleaning',
      targetProvisionState: 'manageable',
      reservation: { host: HOST, effect: 3 },
      work: { index: 1 },
    });
    expect(nodeAfter(continued(second, [done(3), 12_000]))).toMatchObject({
      provisionState: 'manageable',
      work: null,
      effects: [],
      reservation: null,
    });
  });

  it('that fail are named, and those after them are not begun', () => {
    const node = nodeAfter(continued(cleaning(), [failed(2, 'no disk'), 11_000]));
    expect(node).toMatchObject({ provisionState: 'clean failed', work: null, effects: [] });
    expect(node.lastError).toBe('Manual cleaning failed: step deploy.one failed: no disk');
  });

  it('tell how they left the machine', () => {
    const machine = { powerState: 'power off' as const, changed: true, bootDevice: null };
    const node = nodeAfter(continued(cleaning(), [done(2, { machine }), 11_000]));
    expect(node).toMatchObject({
      powerState: 'power off',
      driverInternalInfo: { last_power_state_change: '1970-01-01T00:00:11.000000' },
    });
    expect(nodeAfter(continued(cleaning(), [done(2, { machine }), 11_000], [done(3), 12_000])).powerState).toBe(
      'power off',
    );
  });

  it('that are under way when their conductor goes are tried again, or fail as a whole', () => {
    const second = continued(cleaning(), [done(2), 11_000]);
    given(second).when(interrupt('none'), 12_000).thenNothing();
    expect(nodeAfter(continued(second, [interrupt('all'), 12_000]))).toMatchObject({
      provisionState: 'clean failed',
      work: null,
      effects: [],
    });
  });
});

describe('a wait', () => {
  it.each(waitingWorks)('$wait frees the node, under a deadline', (work) => {
    expect(nodeAfter(waits(work))).toMatchObject({
      provisionState: work.wait,
      reservation: null,
      effects: [],
      deadlines: [{ n: 1, due: DUE, purpose: 'callback' }],
    });
    expect(nodeAfter(waits(work)).targetProvisionState).toBe(nodeAfter(started(work)).targetProvisionState);
  });

  it.each(waitingWorks)('$wait goes on with a heartbeat, to its end', (work) => {
    const resumed = continued(known(work), [heartbeat(), 13_000]);
    const { n } = work;
    expect(nodeAfter(resumed)).toMatchObject({
      provisionState: work.running,
      reservation: { host: HOST, effect: n + 1 },
      effects: [{ n: n + 1, task: { kind: 'work', resumed: true } }],
      deadlines: [],
      driverInternalInfo: { agent_url: 'https://192.0.2.9:9999' },
    });
    const ended = nodeAfter(continued(resumed, [done(n + 1), 14_000]));
    expect(ended).toMatchObject({ work: null, reservation: null, effects: [], agentTokenDigest: null });
    expect(ended.driverInternalInfo).not.toHaveProperty('agent_url');
    expect(ended.targetProvisionState).toBeNull();
  });

  it('takes the next step when it goes on, and waits there under a deadline of its own', () => {
    const cleaning = continued(manageable(), [withSteps('clean', one, two), 10_000], [done(2, paused()), 11_000]);
    const second = continued(cleaning, [lookUp('digest-1'), 12_000], [heartbeat(), 13_000]);
    expect(nodeAfter(second)).toMatchObject({
      work: { index: 1, wait: null },
      effects: [{ n: 3, task: { step: two, resumed: true } }],
    });
    const again = continued(second, [done(3, paused()), 14_000]);
    expect(nodeAfter(again)).toMatchObject({
      provisionState: 'clean wait',
      deadlines: [{ n: 2, due: 14_000 + 1_800_000 }],
    });
    const last = continued(again, [heartbeat(), 15_000]);
    expect(nodeAfter(last)).toMatchObject({ effects: [{ n: 4, task: { resumed: true } }], work: { index: 2 } });
    expect(nodeAfter(continued(last, [done(4), 16_000])).provisionState).toBe('manageable');
  });

  it('keeps the agent with fast track', () => {
    const at = (ms: number) => ({ at: ms, fastTrack: true });
    const ended = continued(known(deploy), [heartbeat(), 13_000], [done(4), at(14_000)]);
    expect(nodeAfter(ended)).toMatchObject({ provisionState: 'active', agentTokenDigest: 'digest-1' });
  });

  it('does not go on while the node is reserved or in maintenance', () => {
    const changing = continued(known(service), [power('power on'), 12_500]);
    given(changing).when(heartbeat(), 13_000).thenRefused('NODE_LOCKED');
    const maintained = continued(known(service), [maintain(), 12_500]);
    given(maintained)
      .when(heartbeat(), 13_000)
      .then({
        type: 'AgentHeartbeat',
        data: { at: 13_000, attempt: null, agent: { url: 'https://192.0.2.9:9999', version: '9.14.0' } },
      });
    const free = continued(maintained, [heartbeat(), 13_000], [endMaintenance, 14_000], [heartbeat(), 15_000]);
    expect(nodeAfter(free).provisionState).toBe('servicing');
  });

  it('is a failure of the interface where the state knows none', () => {
    const past = continued(manageable(), [provision('adopt'), 4000], [done(2, paused()), 5000]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'adopt failed',
      lastError: expect.stringContaining('nothing can be waited for'),
    });
  });

  it.each(waitingWorks)('$wait outlives its conductor', (work) => {
    for (const lost of ['all', 'none'] as const) given(known(work)).when(interrupt(lost), 13_000).thenNothing();
  });

  it('ends with its node', () => {
    const past = continued(waits(clean), [maintain(), 12_000], [remove, 13_000]);
    expect(streamAfter(past).node).toBeNull();
    expect(decideElapsed(elapse(1, 0) as never, streamAfter(past), contextAt(DUE)).answer).toBe('gone');
  });

  it.each([deploy, rescue, service])('$wait may be left for a tear down', (work) => {
    const node = nodeAfter(continued(known(work), [provision('deleted'), 13_000]));
    expect(node).toMatchObject({ provisionState: 'deleting', deadlines: [], work: { work: 'tear down', wait: null } });
  });
});

describe('the deadline of a callback', () => {
  const ask = (past: readonly NodeEvent[], n: number, at: number) =>
    decideElapsed(elapse(n, 0), streamAfter(past), contextAt(at));

  it.each(provisionStates.filter(isCallbackWait))('%s has its settings', (state) => {
    expect(policy.callbackTimeoutSeconds[state]).toBe(waitTimeoutOf(state)?.defaultS);
  });

  it('every state that waits has a rule for it, and none that is held [1.22]', () => {
    const waitStates = provisionStates.filter((state: ProvisionState) => nextState(state, 'resume') !== undefined);
    expect(waitStates.filter((state) => waitTimeoutOf(state) === undefined)).toEqual([]);
    expect(new Set(waitingWorks.map(({ wait }) => wait))).toEqual(new Set(waitStates.filter(isCallbackWait)));
    expect(provisionStates.filter(isHold).filter((state) => waitTimeoutOf(state) !== undefined)).toEqual([]);
  });

  it.each(waitingWorks)('$wait ends in $failed at it, not a millisecond before', (work) => {
    expect(ask(waits(work), 1, DUE - 1)).toEqual({ answer: 'early', afterMs: 1, events: [] });
    const past = continued(waits(work), [elapse(1, 0), DUE]);
    const node = nodeAfter(past);
    expect(node).toMatchObject({ provisionState: work.failed, work: null, deadlines: [], effects: [] });
    expect(node.lastError).toContain(`waited in "${work.wait}" for its ramdisk to call back: it did not within 1800 s`);
    expect(ask(past, 1, DUE + 1).answer).toBe('gone');
  });

  it('names the step', () => {
    const past = continued(manageable(), [withSteps('clean', one), 10_000], [done(2, paused()), 11_000]);
    expect(nodeAfter(continued(past, [elapse(1, 0), DUE])).lastError).toContain('in step deploy.one');
  });

  it('is held by maintenance, and passes at its end', () => {
    const held = continued(waits(deploy), [maintain(), 12_000]);
    expect(ask(held, 1, DUE).answer).toBe('held');
    expect(ask(continued(held, [endMaintenance, DUE + 5]), 1, DUE + 5).answer).toBe('done');
  });

  it('of a wait that is over is gone', () => {
    const resumed = continued(known(clean), [heartbeat(), 13_000]);
    expect(ask(resumed, 1, DUE).answer).toBe('gone');
  });

  it('is none with 0, or where all of them are switched off', () => {
    const never = { ...policy.callbackTimeoutSeconds, 'clean wait': 0 };
    for (const settings of [{ callbackTimeoutSeconds: never }, { waitTimeouts: false }]) {
      expect(nodeAfter(waits(clean, true, { at: 11_000, ...settings })).deadlines).toEqual([]);
    }
  });
});

describe('a hold', () => {
  const holds = { clean, deploy, service } as const;
  const held = (work: Waiting) => continued(started(work), [done(work.n, { holds: true }), 11_000]);
  const states = [
    { name: 'clean', state: 'clean hold' },
    { name: 'deploy', state: 'deploy hold' },
    { name: 'service', state: 'service hold' },
  ] as const;

  it.each(states)('$state waits for an operator alone', ({ name, state }) => {
    const past = held(holds[name]);
    expect(nodeAfter(past)).toMatchObject({ provisionState: state, reservation: null, effects: [], deadlines: [] });
    for (const lost of ['all', 'none'] as const) given(past).when(interrupt(lost), 13_000).thenNothing();
  });

  it.each(states)('$state goes on by unhold, at once where no ramdisk is there to call back', ({ name }) => {
    const { n, running } = holds[name];
    const past = continued(held(holds[name]), [provision('unhold'), 12_000]);
    expect(past.slice(-2).map(({ type }) => type)).toEqual(['WorkWaiting', 'WorkResumed']);
    expect(nodeAfter(past)).toMatchObject({ provisionState: running, deadlines: [], effects: [{ n: n + 1 }] });
    expect(nodeAfter(continued(past, [done(n + 1), 13_000]))).toMatchObject({ work: null, targetProvisionState: null });
  });

  it.each(states)('$state is left for a wait where a ramdisk is known', ({ name }) => {
    const { wait, running } = holds[name];
    const looked = continued(waits(holds[name]), [lookUp('digest-1'), 11_500], [heartbeat(), 11_600]);
    const { n } = holds[name];
    const again = continued(looked, [done(n + 1, { holds: true }), 12_000], [provision('unhold'), 13_000]);
    expect(nodeAfter(again)).toMatchObject({ provisionState: wait, deadlines: [{ n: 2, due: 13_000 + 1_800_000 }] });
    expect(nodeAfter(continued(again, [heartbeat(), 14_000])).provisionState).toBe(running);
  });

  it('of work without its ramdisk asks for no callback, whatever is known of an agent', () => {
    const past = continued(
      manageable(),
      [lookUp('digest-1', true), 9000],
      [{ ...withSteps('clean', step('hold'), two), ramdisk: false } as NodeCommand, 10_000],
      [done(2, { holds: true }), 11_000],
      [provision('unhold'), 12_000],
    );
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'cleaning',
      effects: [{ task: { step: two, resumed: true, ramdisk: false } }],
    });
  });

  it('is refused elsewhere', () => {
    given(waits(clean)).when(provision('unhold'), 12_000).thenRefused('INVALID_STATE');
    given(manageable()).when(provision('unhold'), 12_000).thenRefused('INVALID_STATE');
  });
});

describe('an abort', () => {
  it.each([clean, deploy, rescue])('of $wait ends in $failed', (work) => {
    const past = continued(known(work), [provision('abort'), 13_000]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: work.failed,
      work: null,
      deadlines: [],
      effects: [],
      reservation: null,
      agentTokenDigest: null,
    });
    expect(nodeAfter(past).lastError).toContain(`aborted by request in "${work.wait}"`);
    given(past).when(heartbeat(), 14_000).thenRefused('INVALID_PARAMETER');
  });

  it('of a manual clean keeps its target', () => {
    expect(nodeAfter(continued(waits(clean), [provision('abort'), 13_000])).targetProvisionState).toBe('manageable');
  });

  it('waits for the end of a step that must not be broken off', () => {
    const asked = continued(known(clean, false), [provision('abort'), 13_000]);
    expect(nodeAfter(asked)).toMatchObject({ provisionState: 'clean wait', deadlines: [{ n: 1, due: DUE }] });
    given(asked)
      .when(provision('abort'), 13_500)
      .then({ type: 'WorkAbortPostponed', data: { at: 13_500, work: 'manual clean' } });
    const ended = continued(asked, [heartbeat(), 14_000]);
    expect(nodeAfter(ended)).toMatchObject({ provisionState: 'clean failed', effects: [] });
    const { provisionState, fields } = nodeAfter(continued(asked, [elapse(1, 0), DUE]));
    expect([provisionState, fields.fault]).toEqual(['clean failed', 'clean failure']);
  });

  it('of a rescue waits for nothing', () => {
    const past = continued(waits(rescue, false), [provision('abort'), 13_000]);
    expect(nodeAfter(past).provisionState).toBe('rescue failed');
  });

  it('of a service leads back to the instance by a job of its own', () => {
    const past = continued(waits(service), [provision('abort'), 13_000]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'service failed',
      work: null,
      reservation: { effect: 5 },
      effects: [{ n: 5, task: { kind: 'work', work: 'service', aborted: true } }],
    });
    given(past).when(interrupt('none'), 13_500).thenNothing();
    expect(nodeAfter(continued(past, [done(5), 14_000]))).toMatchObject({
      provisionState: 'active',
      targetProvisionState: null,
      reservation: null,
    });
    const stuck = nodeAfter(continued(past, [failed(5, 'no switch'), 14_000]));
    expect(stuck).toMatchObject({ provisionState: 'service failed', reservation: null });
    expect(stuck.lastError).toContain('no switch');
  });

  const held = (work: Waiting) => continued(started(work), [done(work.n, { holds: true }), 11_000]);

  it('of a held deployment tears it down', () => {
    const past = continued(held(deploy), [provision('abort'), 12_000]);
    expect(past.slice(-2).map(({ type }) => type)).toEqual(['WorkAborted', 'WorkStarted']);
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'deleting', work: { work: 'tear down' } });
    expect(nodeAfter(continued(past, [done(4), 13_000], [done(5), 14_000])).provisionState).toBe('available');
  });

  it('of what is held ends it at once', () => {
    const { provisionState, fields } = nodeAfter(continued(held(clean), [provision('abort'), 12_000]));
    expect([provisionState, fields.fault]).toEqual(['clean failed', null]);
    expect(nodeAfter(continued(held(service), [provision('abort'), 12_000])).provisionState).toBe('service failed');
  });

  it('is refused while work goes on', () => {
    given(started(clean)).when(provision('abort'), 12_000).thenRefused('NODE_LOCKED');
  });
});

describe('work that is asked for anew', () => {
  it('from a hold of a service begins with its own steps', () => {
    const held = continued(active(), [withSteps('service', one), 8000], [done(4, { holds: true }), 9000]);
    const node = nodeAfter(continued(held, [withSteps('service', two), 10_000]));
    expect(node).toMatchObject({ provisionState: 'servicing', work: { steps: [two], index: 0 } });
  });
});
