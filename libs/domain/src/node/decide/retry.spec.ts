import { specify } from '@lib/testing/specify';
import { decideElapsed } from '..';
import type { NodeEvent, NodeFields, Policy } from '..';
import { checkOwnInspection } from '..';
import {
  DUE,
  agent,
  changeDeadline,
  contextAt,
  continued,
  done,
  elapse,
  endMaintenance,
  failed,
  fake,
  inspecting,
  maintain,
  nodeAfter,
  nodeDecider,
  power,
  provision,
  report,
  returned,
  streamAfter,
  waiting,
} from '../spec';

const settings = { attempts: 2, groups: { lab: 1 }, backoffSeconds: 60, factor: 3, secondsMax: 100 };
const inspectRetry: Partial<Policy> = { inspectRetry: settings };
const when = (at: number) => ({ at, ...inspectRetry });
const given = specify(nodeDecider, contextAt);

/** Inspection 1 has timed out; effect 4 powers the machine off, deadline 2 is the retry. */
const retrying = (fields: Partial<NodeFields> = {}) => continued(waiting(fields), [elapse(1, 1), when(DUE)]);
const planned = (past: readonly NodeEvent[]) => past.filter(({ type }) => type === 'InspectionRetryPlanned');
const RETRY_AT = DUE + 60_000;

describe('without a policy', () => {
  it('an inspection that failed is left to its operator', () => {
    const past = continued(waiting(), [elapse(1, 1), DUE]);
    expect(planned(past)).toEqual([]);
    expect(nodeAfter(past).deadlines).toEqual([]);
  });
});

describe('an inspection that timed out under a policy', () => {
  it('has failed, says when it begins anew, and keeps its reason', () => {
    const [, plan] = retrying().slice(-2);
    expect(plan).toMatchObject({
      type: 'InspectionRetryPlanned',
      data: { at: DUE, attempt: 1, deadline: { n: 2, due: RETRY_AT }, retry: { number: 1, of: 2 } },
    });
    const node = nodeAfter(retrying());
    expect(node).toMatchObject({ provisionState: 'inspect failed', inspection: null });
    expect(node.lastError).toMatch(/timeout reached.*Retry 1 of 2 begins at 1970-01-01T00:31:10.000Z\.$/i);
    expect(node.deadlines).toEqual([
      { n: 2, attempt: 1, due: RETRY_AT, purpose: 'retry', effect: null, retry: { number: 1, of: 2 } },
    ]);
  });

  it('begins anew at its time and not a millisecond before, as the next attempt', () => {
    const stream = streamAfter(retrying());
    expect(decideElapsed(elapse(2, 1), stream, contextAt(when(RETRY_AT - 1)))).toMatchObject({
      answer: 'early',
      afterMs: 1,
    });
    const past = continued(retrying(), [elapse(2, 1), when(RETRY_AT)]);
    expect(past.at(-1)).toMatchObject({
      type: 'InspectionStarted',
      data: { attempt: 2, retry: { number: 1, of: 2 }, effect: { n: 5, attempt: 2, task: { kind: 'inspect' } } },
    });
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'inspecting',
      lastError: null,
      deadlines: [],
      inspection: { attempt: 2, retry: 1 },
    });
    expect(decideElapsed(elapse(2, 1), streamAfter(past), contextAt(when(RETRY_AT)))).toMatchObject({ answer: 'gone' });
  });

  it('boots its machine as the conductor finds that it can be booted then', () => {
    const start = { problem: null, managedBoot: 'ipxe' };
    const past = continued(retrying(), [{ ...elapse(2, 1), start }, when(RETRY_AT)]);
    expect(nodeAfter(past).inspection).toMatchObject({ manageBoot: true, bootInterface: 'ipxe' });
  });
});

describe('a series of retries', () => {
  const second = () =>
    continued(
      retrying(),
      [done(4), DUE + 1],
      [elapse(2, 1), when(RETRY_AT)],
      [failed(5, 'no power'), when(RETRY_AT + 10)],
    );

  it('waits longer each time, up to the longest', () => {
    expect(planned(second()).at(-1)).toMatchObject({
      data: { retry: { number: 2, of: 2 }, deadline: { n: 3, due: RETRY_AT + 10 + 100_000 } },
    });
  });

  it('ends with its last one', () => {
    const at = RETRY_AT + 200_000;
    const past = continued(second(), [elapse(3, 2), when(at)], [failed(6, 'no power'), when(at + 1)]);
    expect(planned(past)).toHaveLength(2);
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'inspect failed', lastError: 'no power', deadlines: [] });
  });

  it('begins anew with what an operator asks for', () => {
    const at = RETRY_AT + 20;
    const past = continued(second(), [provision('inspect'), when(at)], [failed(6, 'no power'), when(at + 1)]);
    expect(planned(past).at(-1)).toMatchObject({ data: { attempt: 3, retry: { number: 1, of: 2 } } });
  });

  it('ends with an inspection that finds its data', () => {
    const past = continued(
      second(),
      [elapse(3, 2), when(RETRY_AT + 200_000)],
      [returned(6, 'MANAGEABLE', {}, fake), when(RETRY_AT + 200_001)],
    );
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'manageable', deadlines: [] });
  });
});

describe('a failure of any kind', () => {
  it.each([
    ['of the start', () => continued(inspecting(), [failed(2, 'no such system'), when(11_000)])],
    ['that the inspector reports', () => continued(waiting(), [report(1, 12_000, { error: 'no disk' }), when(13_000)])],
    ['of data that is malformed', () => continued(inspecting(), [returned(2, 'nonsense'), when(11_000)])],
  ])('%s is followed by a retry', (_how, past) => {
    expect(planned(past())).toHaveLength(1);
    expect(nodeAfter(past()).deadlines).toMatchObject([{ purpose: 'retry' }]);
  });

  it('is written down with its error, also where the history has no entry for it', () => {
    const past = continued(waiting(), [report(1, 12_000, { error: 'no disk' }), when(13_000)]);
    expect(planned(past)).toMatchObject([
      { data: { error: expect.stringMatching(/no disk\. Retry 1 of 2/) as string } },
    ]);
  });
});

describe('what an operator has ended', () => {
  it('stays ended: an abort', () => {
    const past = continued(waiting(), [provision('abort'), 20_000], [done(4), when(21_000)]);
    expect(planned(past)).toEqual([]);
  });

  it('stays ended: an abort at the inspector itself [1.19]', () => {
    const past = continued(waiting(), [report(1, 12_000, { error: 'Canceled by operator' }), when(13_000)]);
    expect(planned(past)).toEqual([]);
  });
});

describe('a retry that waits', () => {
  it('is gone with any verb: manage', () => {
    const past = continued(retrying(), [done(4), DUE + 1], [provision('manage'), when(DUE + 2)]);
    expect(nodeAfter(past).deadlines).toEqual([]);
    given(past).when(elapse(2, 1), when(RETRY_AT)).thenNothing();
  });

  it('is held by maintenance, and begins at once when that ends too late', () => {
    const past = continued(retrying(), [maintain('disk'), DUE + 1]);
    expect(decideElapsed(elapse(2, 1), streamAfter(past), contextAt(when(RETRY_AT)))).toMatchObject({ answer: 'held' });
    const after = streamAfter(continued(past, [endMaintenance, RETRY_AT + 5]));
    expect(decideElapsed(elapse(2, 1), after, contextAt(when(RETRY_AT + 6)))).toMatchObject({ answer: 'done' });
  });

  it('is held by who has the node', () => {
    const past = continued(retrying(), [done(4), DUE + 1], [power('power on'), DUE + 2]);
    expect(nodeAfter(past).reservation).not.toBeNull();
    expect(decideElapsed(elapse(2, 1), streamAfter(past), contextAt(when(RETRY_AT)))).toMatchObject({ answer: 'held' });
  });

  it('can be put off and stopped like every deadline', () => {
    const later = continued(retrying(), [changeDeadline({ kind: 'extend', seconds: 60 }), DUE + 1]);
    expect(nodeAfter(later).deadlines).toMatchObject([{ purpose: 'retry', due: RETRY_AT + 60_000 }]);
    const still = continued(retrying(), [changeDeadline({ kind: 'pause' }), DUE + 1]);
    expect(decideElapsed(elapse(2, 1), streamAfter(still), contextAt(when(RETRY_AT)))).toMatchObject({
      answer: 'held',
    });
  });

  it('that cannot start is an attempt that failed, and counts', () => {
    const start = { problem: 'no address of its BMC' };
    const past = continued(retrying(), [{ ...elapse(2, 1), start }, when(RETRY_AT)]);
    expect(past.slice(-3).map(({ type }) => type)).toEqual([
      'InspectionStarted',
      'InspectionFailed',
      'InspectionRetryPlanned',
    ]);
    expect(nodeAfter(past)).toMatchObject({
      provisionState: 'inspect failed',
      lastError: expect.stringMatching(/^no address of its BMC\. Retry 2 of 2/) as string,
      deadlines: [{ purpose: 'retry', attempt: 2, n: 3 }],
    });
  });
});

describe('the policy', () => {
  const first = (fields: Partial<NodeFields>) => planned(retrying(fields)).map(({ data }) => data);

  it("of the node's group counts before that of all", () => {
    expect(first({ conductor_group: 'lab' })).toMatchObject([{ retry: { number: 1, of: 1 } }]);
    expect(first({ conductor_group: 'other' })).toMatchObject([{ retry: { number: 1, of: 2 } }]);
  });

  it("of the node counts before its group's", () => {
    const own = { driver_info: { inspect_retry_attempts: 5, inspect_retry_backoff: 7.5 }, conductor_group: 'lab' };
    expect(first(own)).toMatchObject([{ retry: { number: 1, of: 5 }, deadline: { due: DUE + 7500 } }]);
    expect(first({ driver_info: { inspect_retry_attempts: 0 } })).toEqual([]);
  });

  it.each([
    ['inspect_retry_attempts', -1],
    ['inspect_retry_attempts', 1.5],
    ['inspect_retry_attempts', 101],
    ['inspect_retry_attempts', '3'],
    ['inspect_retry_backoff', -0.1],
    ['inspect_retry_backoff', Infinity],
    ['inspect_retry_backoff', NaN],
    ['inspect_retry_backoff', true],
  ])('of a node is refused with %s = %p', (key, value) => {
    expect(() => checkOwnInspection({ [key]: value })).toThrow(key);
  });

  it.each([null, 0, 100])('of a node may be %p', (value) => {
    expect(() => checkOwnInspection({ inspect_retry_attempts: value, inspect_retry_backoff: value })).not.toThrow();
  });
});

it('a ramdisk that posts its data without an inspector is tried again as well', () => {
  const past = continued(waiting({}, agent), [elapse(1, 1, agent), when(DUE)]);
  expect(planned(past)).toHaveLength(1);
});
