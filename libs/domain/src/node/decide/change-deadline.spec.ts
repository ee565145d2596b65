import { specify } from '@lib/testing/specify';
import { decideElapsed, leftMs } from '..';
import type { NodeEvent } from '..';
import {
  DUE,
  aborting,
  changeDeadline,
  contextAt,
  continued,
  done,
  elapse,
  endMaintenance,
  extend,
  inspecting,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  pause,
  provision,
  resume,
  streamAfter,
  timedOut,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const answer = (past: readonly NodeEvent[], now: number, n = 1, attempt = 1) =>
  decideElapsed(elapse(n, attempt), streamAfter(past), contextAt(now));
const by = { user: 'operator', request: 'req-1' };
const deadlineAfter = (past: readonly NodeEvent[]) => nodeAfter(past).deadlines[0];
const moveTo = (due: number) => changeDeadline({ kind: 'move', due }, 'slow disks');

describe('an operator extends the deadline of a wait', () => {
  it('by seconds from the time that it has, with a reason', () => {
    given(...waiting())
      .when(changeDeadline({ kind: 'extend', seconds: 600 }, 'slow disks'), 20_000)
      .then({
        type: 'DeadlineExtended',
        data: { at: 20_000, deadline: { n: 1, due: DUE + 600_000 }, before: DUE, by, reason: 'slow disks' },
      });
  });

  it('to a later time', () => {
    const moved = continued(waiting(), [moveTo(DUE + 1), 20_000]);
    expect(deadlineAfter(moved)).toMatchObject({ n: 1, due: DUE + 1, lastWord: { word: 'extended', at: 20_000, by } });
    given(...waiting())
      .when(moveTo(DUE), 20_000)
      .thenRefused('INVALID_PARAMETER');
    given(...waiting())
      .when(moveTo(19_999), 20_000)
      .thenRefused('INVALID_PARAMETER');
    given(...waiting())
      .when(moveTo(NaN), 20_000)
      .thenRefused('INVALID_PARAMETER');
    given(...waiting())
      .when(extend(400_000_000), 20_000)
      .thenRefused('INVALID_PARAMETER');
    given(...waiting())
      .when(extend(0), 20_000)
      .thenRefused('INVALID_PARAMETER');
  });

  it('and it passes at its new time, not a millisecond before, with a text that says so', () => {
    const extended = continued(waiting(), [extend(600), 20_000]);
    expect(answer(extended, DUE)).toEqual({ answer: 'early', afterMs: 600_000, events: [] });
    expect(answer(extended, DUE + 599_999)).toEqual({ answer: 'early', afterMs: 1, events: [] });
    const { events } = answer(extended, DUE + 600_000);
    expect(events).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({
          deadline: { n: 1, due: DUE + 600_000 },
          error: expect.stringMatching(/Timeout reached .* by 1970-01-01T00:40:10\.000Z, to which an operator/),
        }),
      }),
    ]);
  });

  it('also one that is overdue while maintenance holds it: it gets the whole extension', () => {
    const held = continued(
      waiting(),
      [maintain(), 20_000],
      [extend(60), DUE + 1_000_000],
      [endMaintenance, DUE + 1_000_001],
    );
    expect(answer(held, DUE + 1_059_999)).toMatchObject({ answer: 'early', afterMs: 1 });
    expect(answer(held, DUE + 1_060_000)).toMatchObject({ answer: 'done' });
  });

  it('while an abort is under way, which it does not wait for', () => {
    const during = continued(aborting(), [extend(60), 21_000]);
    expect(nodeAfter(during).deadlines.map(({ purpose, due }) => [purpose, due])).toEqual([
      ['inspect wait', DUE + 60_000],
      ['give up', 50_000],
    ]);
  });
});

describe('an operator pauses the deadline of a wait', () => {
  const paused = () => continued(waiting(), [pause, DUE - 1000]);

  it('and what is left of it stays left', () => {
    const [deadline] = nodeAfter(paused()).deadlines;
    expect(leftMs(deadline!, DUE + 999_999)).toBe(1000);
    expect(answer(paused(), DUE + 999_999)).toEqual({ answer: 'held', events: [] });
    const resumed = continued(paused(), [resume, DUE + 5000]);
    expect(deadlineAfter(resumed)).toMatchObject({ due: DUE + 6000, pausedAt: null, lastWord: { word: 'resumed' } });
    expect(answer(resumed, DUE + 5999)).toMatchObject({ answer: 'early', afterMs: 1 });
    expect(answer(resumed, DUE + 6000)).toMatchObject({ answer: 'done' });
  });

  it('once: asked for again it changes nothing, and neither does resuming what runs', () => {
    given(...paused())
      .when(pause, DUE)
      .thenNothing();
    given(...waiting())
      .when(resume, DUE)
      .thenNothing();
  });

  it('and may extend it meanwhile', () => {
    const extended = continued(paused(), [extend(60), DUE + 10_000]);
    expect(leftMs(deadlineAfter(extended)!, DUE + 20_000)).toBe(61_000);
    expect(answer(extended, DUE + 10 ** 9)).toEqual({ answer: 'held', events: [] });
  });

  it('beside maintenance: the last of the two lets it run', () => {
    const both = continued(paused(), [maintain(), DUE], [resume, DUE + 1000]);
    expect(answer(both, DUE + 10_000)).toEqual({ answer: 'held', events: [] });
    expect(answer(continued(both, [endMaintenance, DUE + 10_000]), DUE + 10_000)).toMatchObject({ answer: 'done' });
  });

  it('and the node can still be aborted', () => {
    const asked = continued(paused(), [provision('abort'), DUE + 1]);
    expect(nodeAfter(continued(asked, [done(4), DUE + 2]))).toMatchObject({
      provisionState: 'inspect failed',
      deadlines: [],
    });
  });
});

describe('a deadline that is changed when it is due', () => {
  it('has one winner: what is appended first', () => {
    const extended = continued(waiting(), [extend(60), DUE]);
    expect(answer(extended, DUE)).toMatchObject({ answer: 'early', afterMs: 60_000 });
    given(...timedOut())
      .when(extend(60), DUE)
      .thenRefused('STATE_CONFLICT');
    given(...timedOut())
      .when(pause, DUE)
      .thenRefused('STATE_CONFLICT');
  });
});

describe('without an open deadline', () => {
  it('there is nothing to change', () => {
    given(...inspecting())
      .when(extend(60), 20_000)
      .thenRefused('STATE_CONFLICT');
    given(...manageable())
      .when(pause, 20_000)
      .thenRefused('STATE_CONFLICT');
    given(...waiting({ driver_info: { inspect_wait_timeout: 0 } }))
      .when(pause, 20_000)
      .thenRefused('STATE_CONFLICT');
    given().when(pause, 20_000).thenRefused('NODE_NOT_FOUND');
  });
});

describe('the deadline of work that waits for its ramdisk', () => {
  const cleaning = () =>
    continued(manageable(), [provision('clean'), 10_000], [done(2, { waits: { abortable: true } }), 11_000]);
  const CALLBACK = 11_000 + 1_800_000;

  it('is extended, paused and resumed as that of an inspection', () => {
    const changed = continued(cleaning(), [extend(60), 20_000], [pause, 21_000], [resume, 31_000]);
    expect(answer(changed, CALLBACK + 69_999, 1, 0)).toMatchObject({ answer: 'early', afterMs: 1 });
    const { events } = answer(changed, CALLBACK + 70_000, 1, 0);
    expect(events).toEqual([expect.objectContaining({ type: 'WorkTimedOut' })]);
    expect(JSON.stringify(events)).toMatch(/timeout reached .*to which an operator had moved its deadline/);
  });
});
