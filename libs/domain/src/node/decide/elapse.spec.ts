import { decideElapsed } from '..';
import type { NodeEvent } from '..';
import {
  DUE,
  aborting,
  contextAt,
  continued,
  elapse,
  endMaintenance,
  enroll,
  inspecting,
  maintain,
  nodeAfter,
  power,
  provision,
  remove,
  returned,
  someFields,
  streamAfter,
  timedOut,
  update,
  waiting,
} from '../spec';

const answer = (past: readonly NodeEvent[], now: number, n = 1, attempt = 1) =>
  decideElapsed(elapse(n, attempt), streamAfter(past), contextAt(now));
const gone = { answer: 'gone', events: [] };
const held = { answer: 'held', events: [] };

describe('the deadline of inspect wait', () => {
  it('is early by a millisecond, and says by how much [1.7, 2.2]', () => {
    expect(answer(waiting(), DUE - 1)).toEqual({ answer: 'early', afterMs: 1, events: [] });
    expect(answer(waiting(), DUE - 90_000)).toEqual({ answer: 'early', afterMs: 90_000, events: [] });
  });

  it.each([DUE, DUE + 1, DUE + 365 * 24 * 3_600_000])('fails the inspection at %d [1.7, 2.2]', (now) => {
    expect(answer(waiting(), now)).toEqual({
      answer: 'done',
      events: [
        {
          type: 'InspectionTimedOut',
          data: {
            at: now,
            attempt: 1,
            deadline: { n: 1, due: DUE },
            error: expect.stringMatching(/timeout reached/i),
            cleanUp: [
              { n: 4, attempt: 1, task: { kind: 'power', target: 'power off', timeoutSeconds: null, cleanUp: true } },
            ],
          },
        },
      ],
    });
  });

  it('passes once', () => {
    expect(answer(timedOut(), DUE + 1)).toEqual(gone);
  });

  it('passes by the clock of the node, which may step back', () => {
    const past = waiting();
    expect(answer(past, 5000)).toEqual({ answer: 'early', afterMs: DUE - 5000, events: [] });
  });

  it('is gone for another number, another attempt, another state, or no node', () => {
    expect(answer(waiting(), DUE, 2)).toEqual(gone);
    expect(answer(waiting(), DUE, 1, 2)).toEqual(gone);
    expect(answer(waiting(), DUE, 1, 0)).toEqual(gone);
    expect(answer(inspecting(), DUE)).toEqual(gone);
    expect(answer([], DUE)).toEqual(gone);
    expect(answer(continued(waiting(), [maintain(), 20_000], [remove, 20_001]), DUE)).toEqual(gone);
  });

  it('of an earlier attempt does not end the next one', () => {
    const again = continued(
      timedOut(),
      [provision('inspect'), DUE + 10],
      [returned(5, 'INSPECTWAIT', { manageBoot: false }), DUE + 20],
    );
    expect(answer(again, DUE + 30)).toEqual(gone);
    expect(answer(again, DUE + 30, 2, 1)).toEqual(gone);
    expect(answer(again, DUE + 30, 2, 2)).toMatchObject({ answer: 'early' });
    expect(answer(again, DUE + 10 + 1_800_000, 2, 2)).toMatchObject({ answer: 'done' });
  });

  it('is held in maintenance and re-opened with the same due time', () => {
    const maintained = continued(waiting(), [maintain(), 20_000]);
    expect(answer(maintained, DUE + 5)).toEqual(held);
    expect(answer(continued(maintained, [endMaintenance, 30_000]), DUE - 1)).toMatchObject({
      answer: 'early',
      afterMs: 1,
    });
    expect(answer(continued(maintained, [endMaintenance, DUE + 9]), DUE + 9)).toMatchObject({ answer: 'done' });
  });

  it('is held by a maintenance that came with a patch', () => {
    const patched = update(someFields({ maintenance: true, inspect_interface: 'inspector' }));
    expect(answer(continued(waiting(), [patched, 20_000]), DUE)).toEqual(held);
  });

  it('is held by both maintenance and intent until the last of them ends', () => {
    const both = continued(aborting(), [maintain(), 25_000], [elapse(2, 1), 50_000]);
    expect(answer(both, DUE)).toEqual(held);
    expect(answer(continued(both, [endMaintenance, 60_000]), DUE)).toMatchObject({ answer: 'done' });
  });

  it('is not touched by power, and a new own timeout does not move it', () => {
    const powered = continued(waiting(), [power('power on'), 20_000]);
    expect(answer(powered, DUE - 1)).toMatchObject({ answer: 'early', afterMs: 1 });
    const own = update(someFields({ inspect_interface: 'inspector', driver_info: { inspect_wait_timeout: 1 } }));
    expect(answer(continued(waiting(), [own, 20_000]), DUE - 1)).toMatchObject({ answer: 'early', afterMs: 1 });
  });

  it('does not exist without a timeout [1.5]', () => {
    expect(nodeAfter(waiting({ driver_info: { inspect_wait_timeout: 0 } })).deadlines).toEqual([]);
  });

  it('ends with its state: nothing is left of it after any ending', () => {
    expect(nodeAfter(timedOut()).deadlines).toEqual([]);
    const twice = continued(timedOut(), [provision('manage'), DUE + 1], [remove, DUE + 2], [enroll(), DUE + 3]);
    expect(answer(twice, DUE + 9)).toEqual(gone);
  });

  it('stamps what the state table asks for', () => {
    expect(nodeAfter(timedOut())).toMatchObject({
      provisionState: 'inspect failed',
      targetProvisionState: 'manageable',
      inspectionStartedAt: null,
      inspectionFinishedAt: null,
      provisionUpdatedAt: DUE,
      inspection: null,
    });
  });
});
