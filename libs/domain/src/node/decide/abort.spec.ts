import { specify } from '@lib/testing/specify';
import { inspectFacts } from '../../hardware';
import { decideElapsed, isHeld } from '..';
import type { NodeEvent } from '..';
import {
  DUE,
  HOST,
  aborting,
  bootFrom,
  cancelled,
  contextAt,
  continued,
  done,
  elapse,
  endMaintenance,
  failed,
  fake,
  maintain,
  nodeAfter,
  nodeDecider,
  power,
  provision,
  remove,
  report,
  streamAfter,
  update,
  waiting,
} from '../spec';

const given = specify(nodeDecider, contextAt);
const GIVE_UP = 50_000;
const answer = (past: readonly NodeEvent[], n: number, now: number) =>
  decideElapsed(elapse(n, 1), streamAfter(past), contextAt(now));
const heldOf = (past: readonly NodeEvent[]) => {
  const node = nodeAfter(past);
  return node.deadlines.map((deadline) => [deadline.n, deadline.due, isHeld(node, deadline)]);
};

describe('an abort that the interface cannot do', () => {
  it.each([fake, inspectFacts('redfish')])(
    'of $name is refused before anything is stored, naming interface and call [1.20, 2.5, 2.12]',
    (facts) => {
      const { message } = given(waiting()).when(provision('abort', facts), 20_000).thenRefused('UNSUPPORTED_EXTENSION');
      expect(message).toContain(facts.name);
      expect(message).toContain('abort');
    },
  );
});

describe('an abort that is asked for', () => {
  it('is an intent with its effect and a time to give up', () => {
    given(waiting())
      .when(provision('abort'), 20_000)
      .then({
        type: 'InspectionAbortRequested',
        data: {
          at: 20_000,
          attempt: 1,
          effect: { n: 4, attempt: 1, task: { kind: 'abort inspection' } },
          giveUp: { n: 2, due: GIVE_UP },
          host: HOST,
        },
      });
  });

  it('holds node and deadline, and changes neither state nor error', () => {
    expect(nodeAfter(aborting())).toMatchObject({
      provisionState: 'inspect wait',
      lastError: null,
      reservation: { host: HOST, effect: 4 },
      intent: { kind: 'abort', effect: 4, attempt: 1 },
    });
    expect(heldOf(aborting())).toEqual([
      [1, DUE, true],
      [2, GIVE_UP, false],
    ]);
  });

  it('makes others wait: a second abort, a patch, a power off', () => {
    const fields = nodeAfter(aborting()).fields;
    for (const command of [provision('abort'), update(fields), power('power off'), power('soft power off')]) {
      given(aborting()).when(command, 20_001).thenRefused('NODE_LOCKED', true);
    }
  });

  it('never waits for an inspector that is still booting the machine and would wait for it in turn', () => {
    for (const command of [bootFrom('pxe'), power('power on'), power('rebooting'), power('soft rebooting')]) {
      given(aborting()).when(command, 20_001).thenRefused('INVALID_STATE', false);
    }
  });

  it('lets no report of the inspector decide', () => {
    given(aborting())
      .when(report(1, 10_000, { error: 'canceled' }), 20_001)
      .thenNothing();
    given(aborting()).when(report(1, 10_000), 20_001).thenNothing();
  });

  it('holds a deadline that elapses meanwhile', () => {
    const slow = continued(waiting(), [provision('abort'), DUE - 10]);
    expect(answer(slow, 1, DUE)).toEqual({ answer: 'held', events: [] });
  });
});

describe('an abort that the inspector accepts', () => {
  it('ends the attempt at once, with the word that clients look for [1.9, 2.7]', () => {
    given(aborting())
      .when(done(4), 21_000)
      .then({
        type: 'InspectionAborted',
        data: { at: 21_000, attempt: 1, effect: 4, error: expect.stringContaining('aborted') as string, cleanUp: [] },
      });
    expect(nodeAfter(continued(aborting(), [done(4), 21_000]))).toMatchObject({
      provisionState: 'inspect failed',
      targetProvisionState: 'manageable',
      inspection: null,
      intent: null,
      reservation: null,
      deadlines: [],
      effects: [],
    });
  });

  it('tears down the boot that the conductor managed', () => {
    const node = nodeAfter(continued(aborting({}, true), [done(3), 21_000]));
    expect(node.effects).toEqual([
      { n: 4, attempt: 1, task: { kind: 'clean up boot', interface: 'ipxe' } },
      { n: 5, attempt: 1, task: { kind: 'power', target: 'power off', timeoutSeconds: null, cleanUp: true } },
    ]);
    expect(node.driverInternalInfo).toEqual({});
  });

  it('leaves the mark of unmanaged boot, as nothing was torn down', () => {
    const node = nodeAfter(continued(aborting(), [done(4), 21_000]));
    expect(node.driverInternalInfo).toEqual({ inspector_manage_boot: false });
  });

  it('settles it: neither deadline, report nor a second outcome changes the node [1.9]', () => {
    const ended = continued(aborting(), [done(4), 21_000]);
    for (const n of [1, 2]) expect(answer(ended, n, DUE)).toEqual({ answer: 'gone', events: [] });
    given(ended).when(report(1, 10_000), 22_000).thenNothing();
    given(ended)
      .when(report(1, 10_000, { error: 'Canceled by operator' }), 22_000)
      .thenNothing();
    given(ended).when(failed(4, 'late'), 22_000).thenNothing();
    given(ended).when(provision('abort'), 22_000).thenRefused('INVALID_STATE');
  });

  it('also counts when it comes after the time of the deadline', () => {
    const slow = continued(waiting(), [provision('abort'), DUE - 10], [done(4), DUE + 10]);
    expect(nodeAfter(slow).lastError).toContain('aborted');
  });
});

describe('an abort that the inspector refuses', () => {
  const refused = continued(aborting(), [failed(4, '409 locked'), 21_000]);

  it('says so, avoids the word of success, and changes no state [2.11]', () => {
    const node = nodeAfter(refused);
    expect(node).toMatchObject({
      provisionState: 'inspect wait',
      lastError: 'Failed to abort inspection: 409 locked',
      reservation: null,
      intent: null,
    });
    expect(node.lastError).not.toContain('aborted');
  });

  it('re-opens the deadline with the same number and due time', () => {
    expect(heldOf(refused)).toEqual([[1, DUE, false]]);
    expect(answer(refused, 1, DUE - 1)).toEqual({ answer: 'early', afterMs: 1, events: [] });
  });

  it('after the due time lets the deadline pass at once', () => {
    const slow = continued(waiting(), [provision('abort'), DUE - 10], [failed(4, '409'), DUE + 10]);
    expect(answer(slow, 1, DUE + 10)).toMatchObject({ answer: 'done', events: [{ type: 'InspectionTimedOut' }] });
  });

  it('can be asked for again', () => {
    const again = continued(refused, [provision('abort'), 22_000]);
    expect(nodeAfter(again)).toMatchObject({ intent: { effect: 5 }, deadlines: [{ n: 1 }, { n: 3 }] });
    given(again).when(done(4), 22_001).thenNothing();
  });

  it('counts a dropped effect as a refusal', () => {
    expect(nodeAfter(continued(aborting(), [cancelled(4), 21_000]))).toMatchObject({
      provisionState: 'inspect wait',
      intent: null,
      reservation: null,
    });
  });
});

describe('an abort that nobody answers', () => {
  it('is given up at its time, not a millisecond before', () => {
    expect(answer(aborting(), 2, GIVE_UP - 1)).toEqual({ answer: 'early', afterMs: 1, events: [] });
    expect(answer(aborting(), 2, GIVE_UP)).toMatchObject({
      answer: 'done',
      events: [{ type: 'InspectionAbortRefused', data: { attempt: 1, effect: 4 } }],
    });
  });

  it('releases the node, and the late word is old news', () => {
    const givenUp = continued(aborting(), [elapse(2, 1), GIVE_UP]);
    expect(nodeAfter(givenUp)).toMatchObject({
      provisionState: 'inspect wait',
      reservation: null,
      intent: null,
      effects: [],
    });
    expect(nodeAfter(givenUp).lastError).not.toContain('aborted');
    given(givenUp)
      .when(done(4), GIVE_UP + 1)
      .thenNothing();
  });

  it('is given up in maintenance too, and the deadline stays held by that', () => {
    const past = continued(aborting(), [maintain(), 25_000], [elapse(2, 1), GIVE_UP]);
    expect(heldOf(past)).toEqual([[1, DUE, true]]);
    expect(heldOf(continued(past, [endMaintenance, 60_000]))).toEqual([[1, DUE, false]]);
  });
});

describe('an abort whose node is deleted in maintenance', () => {
  it('finds it gone', () => {
    const past = continued(aborting(), [maintain(), 25_000], [remove, 26_000]);
    expect(answer(past, 2, GIVE_UP)).toEqual({ answer: 'gone', events: [] });
    given(past).when(done(4), 27_000).thenNothing();
    given(past).when(provision('abort'), 27_000).thenRefused('NODE_NOT_FOUND');
  });
});
