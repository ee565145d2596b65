import { emptyStream, evolve, fold } from '.';
import type { NodeEvent } from '.';
import {
  DUE,
  STARTED,
  aborting,
  available,
  continued,
  done,
  elapse,
  failed,
  fake,
  inspecting,
  manageable,
  nodeAfter,
  provision,
  report,
  returned,
  streamAfter,
  timedOut,
  waiting,
} from './spec';

const stamps = (past: readonly NodeEvent[]) => {
  const { provisionState, provisionUpdatedAt, inspectionStartedAt, inspectionFinishedAt } = nodeAfter(past);
  return [provisionState, provisionUpdatedAt, inspectionStartedAt, inspectionFinishedAt];
};

describe('the stamps of an inspection', () => {
  const finished = continued(inspecting(), [returned(2, 'MANAGEABLE', {}, fake), 12_000]);

  it('start with inspecting, from whatever was before', () => {
    expect(stamps(inspecting())).toEqual(['inspecting', STARTED, STARTED, null]);
    expect(stamps(continued(finished, [provision('inspect'), 13_000]))).toEqual(['inspecting', 13_000, 13_000, null]);
    expect(stamps(continued(timedOut(), [provision('inspect'), DUE + 1]))).toEqual([
      'inspecting',
      DUE + 1,
      DUE + 1,
      null,
    ]);
  });

  it('stay through inspect wait', () => {
    expect(stamps(waiting())).toEqual(['inspect wait', 11_000, STARTED, null]);
  });

  it('end with manageable, from inspecting and from inspect wait', () => {
    expect(stamps(finished)).toEqual(['manageable', 12_000, null, 12_000]);
    expect(stamps(continued(waiting(), [report(1, STARTED), 20_000]))).toEqual(['manageable', 20_000, null, 20_000]);
  });

  it('are both empty after each failure', () => {
    expect(stamps(continued(inspecting(), [failed(2, 'x'), 12_000]))).toEqual(['inspect failed', 12_000, null, null]);
    expect(stamps(timedOut())).toEqual(['inspect failed', DUE, null, null]);
    expect(stamps(continued(aborting(), [done(4), 21_000]))).toEqual(['inspect failed', 21_000, null, null]);
    expect(stamps(continued(waiting(), [report(1, STARTED, { error: 'x' }), 20_000]))).toEqual([
      'inspect failed',
      20_000,
      null,
      null,
    ]);
  });

  it('are not moved by manageable from elsewhere', () => {
    expect(stamps(continued(timedOut(), [provision('manage'), DUE + 1]))).toEqual(['manageable', DUE + 1, null, null]);
    const again = continued(finished, [provision('provide'), 13_000], [done(3), 14_000], [provision('manage'), 15_000]);
    expect(stamps(again)).toEqual(['manageable', 15_000, null, 12_000]);
    expect(stamps(manageable())).toEqual(['manageable', 3000, null, null]);
    expect(stamps(available())).toEqual(['available', 5000, null, null]);
  });

  it('start anew when data is taken up again', () => {
    const resumed: NodeEvent = {
      type: 'InspectionResumed',
      data: {
        at: 20_000,
        attempt: 1,
        effect: { n: 4, attempt: 1, task: { kind: 'inspect' } },
        host: 'h',
        tokenDigest: null,
      },
    };
    const past = [...waiting(), resumed];
    expect(stamps(past)).toEqual(['inspecting', 20_000, 20_000, null]);
    expect(nodeAfter(past).deadlines).toEqual([]);
    const waits = continued(past, [returned(4, 'INSPECTWAIT'), 20_500]);
    expect(nodeAfter(waits).deadlines).toMatchObject([{ n: 2, due: 20_000 + 1_800_000 }]);
  });
});

describe('who manages boot', () => {
  it('is forgotten with the endings that tear down, and with the data', () => {
    const mark = (past: readonly NodeEvent[]) => nodeAfter(past).driverInternalInfo['inspector_manage_boot'];
    expect(mark(waiting())).toBe(false);
    expect(mark(timedOut())).toBe(false);
    expect(mark(continued(timedOut(), [provision('manage'), DUE + 1]))).toBe(false);
    expect(mark(continued(waiting(), [report(1, STARTED), 20_000]))).toBeUndefined();
    expect(mark(continued(waiting(), [report(1, STARTED, { error: 'x' }), 20_000]))).toBeUndefined();
    expect(mark(continued(waiting({}, undefined, true), [elapse(1, 1), DUE]))).toBeUndefined();
  });
});

describe('an event of another release', () => {
  it('is carried: it changes nothing but the numbers that it used', () => {
    const before = streamAfter(waiting());
    const unknown = { type: 'NodeBlessed', data: { at: 1, effect: { n: 40 }, attempt: 7, giveUp: { n: 9, due: 1 } } };
    const after = evolve(before, unknown as never);
    expect(after.counters).toEqual({ attempt: 7, effect: 40, deadline: 9 });
    expect(after.node).toEqual(before.node);
  });
});

describe('an impossible step in the log', () => {
  it('is a bug and throws', () => {
    const [enrolledEvent] = manageable();
    const orphan: NodeEvent = {
      type: 'InspectionTimedOut',
      data: { at: 1, attempt: 1, deadline: { n: 1, due: 1 }, error: '', cleanUp: [] },
    };
    expect(() => fold([orphan], emptyStream)).toThrow('InspectionTimedOut');
    expect(() => fold([...manageable(), orphan], emptyStream)).toThrow('InspectionTimedOut');
    expect(() => fold([...manageable(), ...(enrolledEvent ? [enrolledEvent] : [])], emptyStream)).toThrow(
      'NodeEnrolled',
    );
  });
});
