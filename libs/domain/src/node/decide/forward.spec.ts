import { specify } from '@lib/testing/specify';
import type { DeadlineChange, NodeEvent } from '..';
import {
  DUE,
  HOST,
  STARTED,
  continueWith,
  continued,
  contextAt,
  done,
  elapse,
  failed,
  inspecting,
  inspector,
  lookUp,
  nodeAfter,
  nodeDecider,
  payload,
  power,
  provision,
  report,
  waiting,
} from '../spec';
import type { Step } from '../spec';

const given = specify(nodeDecider, contextAt);
const AT = 20_000;
const post = (tokenDigest: string | null = null) => continueWith(tokenDigest, inspector);
const task = { kind: 'forward inspection data', payload } as const;
const addresses = { lookupBmcAddresses: ['192.0.2.7'] };
/** Where effect 3 has told the inspector to start: 4 hands the data on, under deadline 2. */
const forwarding = (past = waiting()) => continued(past, [post(), AT]);
const NEW_DUE = AT + 1_800_000;

const resumed = (n: number): NodeEvent => ({
  type: 'InspectionResumed',
  data: { at: AT, attempt: 1, effect: { n, attempt: 1, task }, host: HOST, tokenDigest: null },
});
const waits = (): NodeEvent => ({
  type: 'InspectionWaiting',
  data: {
    at: AT,
    attempt: 1,
    effect: null,
    deadline: { n: 2, due: NEW_DUE },
    manageBoot: false,
    lookupBmcAddresses: [],
    next: null,
    deprecatedReturn: false,
  },
});

describe('data that a ramdisk posts to us, of a node whose inspector processes it', () => {
  it('goes on to the inspector, and the node waits, for as long as ever, without being held', () => {
    given(waiting()).when(post(), AT).then(resumed(4), waits());
    expect(nodeAfter(forwarding())).toMatchObject({
      provisionState: 'inspect wait',
      inspectionStartedAt: AT,
      reservation: null,
      lastError: null,
      driverInternalInfo: { inspector_manage_boot: false, agent_last_heartbeat: '1970-01-01T00:00:20.000000' },
      deadlines: [{ n: 2, due: NEW_DUE, purpose: 'inspect wait' }],
      effects: [{ n: 4, task }],
    });
  });

  it('keeps who manages boot and where the BMC is', () => {
    const managed = continued(inspecting(), [
      done(2, { returned: 'INSPECTWAIT', manageBoot: true, ...addresses }, inspector),
      11_000,
    ]);
    expect(nodeAfter(continued(managed, [post(), AT]))).toMatchObject({
      driverInternalInfo: { inspector_manage_boot: true, lookup_bmc_addresses: ['192.0.2.7'] },
      inspection: { manageBoot: true },
    });
  });

  it('waits for a start that is still open, and is not found where nothing is waited for', () => {
    given(inspecting()).when(post(), AT).thenRefused('NODE_LOCKED', true);
    given(continued(waiting(), [elapse(1, 1), DUE]))
      .when(post(), DUE + 1)
      .thenRefused('RESOURCE_NOT_FOUND');
  });

  it('is not taken again while it is on its way, and is once that is over', () => {
    given(forwarding())
      .when(post(), AT + 1)
      .thenRefused('RESOURCE_NOT_FOUND');
    const kept = continued(forwarding(), [{ type: 'KeepRefused', payload, bytes: 10 }, AT + 2]);
    expect(nodeAfter(kept).refused).toMatchObject([{ why: 'duplicate' }]);
    const corrected = continued(forwarding(), [done(4), AT + 3], [post(), AT + 4]);
    expect(nodeAfter(corrected)).toMatchObject({ provisionState: 'inspect wait', effects: [{ n: 5, task }] });
  });

  it('is taken five times in one attempt, so that the wait ends whoever posts, and anew in the next', () => {
    let past = waiting();
    for (let times = 0; times < 5; times += 1)
      past = continued(past, [post(), AT + times * 10], [done(4 + times), AT + times * 10 + 5]);
    given(past)
      .when(post(), AT + 100)
      .thenRefused('RESOURCE_NOT_FOUND');
    const due = AT + 40 + 1_800_000;
    const over = continued(past, [elapse(6, 1), due], [done(9), due + 1]);
    const anew = continued(
      over,
      [provision('inspect'), due + 10],
      [done(10, { returned: 'INSPECTWAIT', manageBoot: false }), due + 20],
    );
    expect(nodeAfter(continued(anew, [post(), due + 30])).inspection).toMatchObject({ attempt: 2, forwards: 1 });
  });

  describe('keeps what an operator said of the wait', () => {
    const asked = { by: { user: 'ops', request: 'req-1' }, reason: 'a slow one' } as const;
    const said = (change: DeadlineChange, at: number): Step => [{ type: 'ChangeDeadline', change, ...asked }, at];
    const word = (type: 'DeadlinePaused', due: number): NodeEvent => ({
      type,
      data: { at: AT, deadline: { n: 2, due }, ...asked },
    });
    const extended = (due: number): NodeEvent => ({
      type: 'DeadlineExtended',
      data: { at: AT, deadline: { n: 2, due }, before: NEW_DUE, ...asked },
    });

    it('a later time, by whom and why', () => {
      const past = continued(waiting(), said({ kind: 'extend', seconds: 9000 }, 15_000));
      given(past)
        .when(post(), AT)
        .then(resumed(4), waits(), extended(DUE + 9_000_000));
      expect(nodeAfter(continued(past, [post(), AT])).deadlines).toMatchObject([
        { n: 2, due: DUE + 9_000_000, lastWord: { word: 'extended', by: asked.by, reason: asked.reason } },
      ]);
    });

    it('one that is earlier than the new time of the wait is no more', () => {
      const past = continued(waiting(), said({ kind: 'extend', seconds: 1 }, 15_000));
      given(past).when(post(), AT).then(resumed(4), waits());
    });

    it('a pause', () => {
      const past = continued(waiting(), said({ kind: 'pause' }, 15_000));
      given(past).when(post(), AT).then(resumed(4), waits(), word('DeadlinePaused', NEW_DUE));
      expect(nodeAfter(continued(past, [post(), AT])).deadlines).toMatchObject([{ pausedAt: AT }]);
    });

    it('a pause of a later time: no less of that is left', () => {
      const past = continued(
        waiting(),
        said({ kind: 'extend', seconds: 9000 }, 14_000),
        said({ kind: 'pause' }, 15_000),
      );
      const due = DUE + 9_000_000 + (AT - 15_000);
      given(past).when(post(), AT).then(resumed(4), waits(), extended(due), word('DeadlinePaused', due));
      const goesOn = nodeAfter(continued(past, [post(), AT], said({ kind: 'resume' }, 50_000)));
      expect(goesOn.deadlines).toMatchObject([{ due: due + 50_000 - AT, pausedAt: null }]);
    });
  });

  it('leaves power and abort to whoever asks meanwhile', () => {
    expect(nodeAfter(continued(forwarding(), [power('power off'), AT + 1])).effects).toHaveLength(2);
    expect(nodeAfter(continued(forwarding(), [provision('abort'), AT + 1])).intent).toMatchObject({ kind: 'abort' });
  });

  it('times out by its own new deadline, and not by the one before', () => {
    given(forwarding()).when(elapse(1, 1), DUE).thenNothing();
    expect(nodeAfter(continued(forwarding(), [elapse(2, 1), NEW_DUE])).provisionState).toBe('inspect failed');
  });

  it('is what a timeout tells of, as the last that was heard of the ramdisk', () => {
    const why = (past: readonly NodeEvent[], n = 2): string | null =>
      nodeAfter(continued(past, [elapse(n, 1), NEW_DUE + 10_000])).lastError;
    const posted = / Its ramdisk posted data at 1970-01-01T00:00:20\.000Z, which went on to the inspector\.$/;
    expect(why(forwarding())).toMatch(posted);
    const before = continued(waiting(), [lookUp('digest-1'), AT - 1], [post(), AT]);
    expect(why(before)).toMatch(posted);
    expect(why(continued(forwarding(), [done(4), AT + 1], [lookUp('digest-1'), AT + 2]))).toMatch(
      / was a lookup at .*20\.002Z\.$/,
    );
    expect(why(waiting(), 1)).toMatch(/may not have booted/);
  });
});

describe('what becomes of it', () => {
  const inventory = { inventory: 'a', pluginData: 'b' };

  it('is the affair of the inspector, once that has answered', () => {
    given(forwarding())
      .when(done(4), 21_000)
      .then({ type: 'EffectClosed', data: { at: 21_000, effect: 4, outcome: 'done' } });
  });

  it('is a failure where the inspector can not be reached', () => {
    const error = 'Failed to finish inspection: no inspector can be reached';
    given(forwarding())
      .when(failed(4, 'no inspector can be reached'), 21_000)
      .then({
        type: 'InspectionFailed',
        data: { at: 21_000, attempt: 1, effect: 4, error, history: true, cleanUp: [] },
      });
  });

  it('is told by a run that began before the data came, and after the attempt did', () => {
    const taken = continued(forwarding(), [done(4), 21_000]);
    const told = continued(taken, [report(1, STARTED + 500, { inventory }), 22_000]);
    expect(nodeAfter(told)).toMatchObject({ provisionState: 'manageable', inventory });
    given(taken)
      .when(report(1, STARTED - 1, { inventory }), 22_000)
      .thenNothing();
  });

  it('no longer matters to a node that was aborted', () => {
    const aborted = continued(forwarding(), [provision('abort'), AT + 1], [done(5), AT + 2]);
    given(aborted)
      .when(failed(4, 'no answer'), AT + 3)
      .then({ type: 'EffectClosed', data: { at: AT + 3, effect: 4, outcome: 'cancelled' } });
  });
});
