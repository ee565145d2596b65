import { specify } from '@lib/testing/specify';
import { provisionStates, isWork, nextState } from '../../states';
import type { NodeEvent, NodeStream } from '..';
import {
  HOST,
  aborting,
  agent,
  bootFrom,
  continueWith,
  contextAt,
  continued,
  done,
  enroll,
  failed,
  fake,
  inspecting,
  interrupt,
  manageable,
  nodeDecider,
  power,
  provision,
  remove,
  report,
  returned,
  story,
  streamAfter,
  timedOut,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const AT = 60_000;
const cleaning = () => continued(manageable(), [provision('provide'), 4000]);
const verifying = () => story([enroll(), 1000], [provision('manage'), 2000]);

const restarted = (state: string): string =>
  `The ${state} state can't be resumed by conductor ${HOST} after a restart: its work was interrupted.`;
const takenOver = (state: string): string =>
  `The ${state} state can't be resumed by conductor ${HOST} after a conductor take over: its work was interrupted.`;

describe('a restart after which nothing is resumed', () => {
  it('fails an inspection that was starting, once, and releases the node', () => {
    const after = given(inspecting()).when(interrupt('all'), AT).thenState();
    expect(after.node).toMatchObject({
      provisionState: 'inspect failed',
      targetProvisionState: 'manageable',
      lastError: restarted('inspecting'),
      reservation: null,
      inspection: null,
      inspectionStartedAt: null,
      effects: [],
      deadlines: [],
    });
    given(inspecting())
      .when(interrupt('all'), AT)
      .then({
        type: 'InspectionFailed',
        data: {
          at: AT,
          attempt: 1,
          effect: 2,
          error: restarted('inspecting'),
          history: true,
          cleanUp: [],
          interrupted: 'restart',
        },
      });
  });

  it.each([
    ['verifying', verifying(), 'enroll', 1],
    ['cleaning', cleaning(), 'clean failed', 2],
  ] as const)('fails a node that was %s as the table says', (from, past, to, effect) => {
    given(past)
      .when(interrupt('all'), AT)
      .then({
        type: 'WorkInterrupted',
        data: { at: AT, state: to, effect, error: restarted(from), interrupted: 'restart' },
      });
    const { node } = given(past).when(interrupt('all'), AT).thenState();
    expect(node).toMatchObject({ provisionState: to, reservation: null, effects: [], lastError: restarted(from) });
  });

  it('fails an inspection whose data was being processed, and lets the machine be powered off', () => {
    const past = continued(waiting({ inspect_interface: 'agent' }, agent, true), [continueWith('digest-1'), 30_000]);
    const { node } = given(past)
      .when(interrupt('all', 'restart', agent), AT)
      .thenState();
    expect(node).toMatchObject({ provisionState: 'inspect failed', reservation: null, targetPowerState: 'power off' });
    expect(node?.effects.map(({ task }) => task)).toContainEqual(
      expect.objectContaining({ kind: 'power', target: 'power off', cleanUp: true }),
    );
  });

  it('fails an inspection that has its data and was still powering off', () => {
    const found = returned(2, 'MANAGEABLE', { inventory: { inventory: 'i', pluginData: 'p' } }, agent);
    const past = continued(inspecting({ inspect_interface: 'agent' }), [found, 20_000]);
    const { node } = given(past)
      .when(interrupt('all', 'restart', agent), AT)
      .thenState();
    expect(node).toMatchObject({ provisionState: 'inspect failed', intent: null, reservation: null });
  });

  it('clears a pending power state, and a boot device that was being set', () => {
    const { node } = given(continued(manageable(), [power('power on'), 4000]))
      .when(interrupt('all'), AT)
      .thenState();
    expect(node).toMatchObject({
      provisionState: 'manageable',
      targetPowerState: null,
      reservation: null,
      effects: [],
    });
    expect(node?.lastError).toContain(`can't be resumed by conductor ${HOST} after a restart`);
    const boot = given(continued(manageable(), [bootFrom('pxe'), 4000]))
      .when(interrupt('all'), AT)
      .thenState();
    expect(boot.node).toMatchObject({ intent: null, reservation: null, effects: [], deadlines: [], bootDevice: null });
  });

  it.each([
    ['waits for its ramdisk', waiting()],
    ['waits, the inspector not told yet', continued(inspecting(), [returned(2, 'INSPECTWAIT'), 11_000])],
    ['waits, and is being aborted', aborting()],
    ['waits, and its machine is driven by the inspector', continued(waiting(), [power('power on'), 15_000])],
    [
      'waits, and has its data',
      continued(waiting({ inspect_interface: 'agent' }, agent, true), [report(1, 11_500, { inspect: agent }), 30_000]),
    ],
    ['has failed, its machine still to be powered off', timedOut()],
    ['is at rest', manageable()],
    ['is gone', continued(manageable(), [remove, 4000])],
    ['never was', []],
  ] as const)('leaves alone a node that %s', (_which, past: readonly NodeEvent[]) => {
    given(past).when(interrupt('all'), AT).thenNothing();
  });

  it('makes old news of what the work brings later', () => {
    const past = continued(inspecting({ inspect_interface: 'fake' }), [interrupt('all'), AT]);
    given(past)
      .when(returned(2, 'MANAGEABLE', {}, fake), AT + 1)
      .thenNothing();
    given(past)
      .when(failed(2, 'late'), AT + 1)
      .thenNothing();
    given(past)
      .when(interrupt('all'), AT + 1)
      .thenNothing();
  });

  it('never speaks of an abort or a timeout, which clients look for', () => {
    for (const cause of ['restart', 'takeover'] as const) {
      const { node } = given(inspecting()).when(interrupt('all', cause), AT).thenState();
      expect(node?.lastError).not.toMatch(/abort|timeout/i);
    }
  });
});

describe('a restart after which all is resumed', () => {
  it.each([
    ['inspecting', inspecting()],
    ['verifying', verifying()],
    ['cleaning', cleaning()],
  ] as const)('leaves a node that is %s to its open effect', (_state, past) => {
    given(past).when(interrupt('none'), AT).thenNothing();
  });

  it.each(provisionStates.filter(isWork))('fails %s without an effect that could be tried again', (state) => {
    const { counters, node } = streamAfter(manageable());
    const orphan: NodeStream = { counters, node: node && { ...node, provisionState: state } };
    const after = specify({ ...nodeDecider, initial: orphan }, contextAt)()
      .when(interrupt('none'), AT)
      .thenState();
    expect(after.node).toMatchObject({ provisionState: nextState(state, 'fail'), lastError: restarted(state) });
  });

  it('fails an open attempt whose start is lost, as an ending of that attempt', () => {
    const { counters, node } = streamAfter(inspecting());
    const orphan: NodeStream = { counters, node: node && { ...node, effects: [], reservation: null } };
    const events = nodeDecider.decide(interrupt('none'), orphan, contextAt(AT));
    expect(events).toEqual([
      { type: 'InspectionFailed', data: expect.objectContaining({ attempt: 1, effect: null, interrupted: 'restart' }) },
    ]);
  });
});

describe('a take over of one effect', () => {
  it('fails the node that is at work on it', () => {
    given(inspecting())
      .when(interrupt({ effect: 2 }, 'takeover'), AT)
      .then({
        type: 'InspectionFailed',
        data: {
          at: AT,
          attempt: 1,
          effect: 2,
          error: takenOver('inspecting'),
          history: true,
          cleanUp: [],
          interrupted: 'takeover',
        },
      });
  });

  it('leaves the node to its work when only a clean-up of the last attempt was taken over', () => {
    const past = continued(timedOut(), [provision('inspect'), DURING]);
    given(past)
      .when(interrupt({ effect: 4 }, 'takeover'), DURING + 1)
      .thenNothing();
  });

  it('clears a power change that holds the node', () => {
    const past = continued(manageable(), [power('rebooting'), 4000]);
    const { node } = given(past)
      .when(interrupt({ effect: 2 }, 'takeover'), AT)
      .thenState();
    expect(node?.lastError).toContain('after a conductor take over');
    expect(node?.reservation).toBeNull();
    given(past)
      .when(done(2, { powerState: 'power on' }), AT)
      .thenState();
  });
});

const DURING = 3_000_000;
