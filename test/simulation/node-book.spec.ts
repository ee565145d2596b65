import type { Effect, NodeEvent } from '@lib/domain';
import { NodeBook } from './node-book';

const by = { user: 'operator', request: null };
const word = (type: 'DeadlinePaused' | 'DeadlineResumed', at: number, due: number, n = 1): NodeEvent => ({
  type,
  data: { at, deadline: { n, due }, by, reason: null },
});
const extended = (at: number, before: number, due: number, n = 1): NodeEvent => ({
  type: 'DeadlineExtended',
  data: { at, before, deadline: { n, due }, by, reason: null },
});
const timedOut = (at: number, due: number): NodeEvent => ({
  type: 'InspectionTimedOut',
  data: { at, attempt: 1, deadline: { n: 1, due }, error: 'too late', cleanUp: [] },
});
const waits = (at: number, due: number, n: number): NodeEvent => ({
  type: 'InspectionWaiting',
  data: {
    at,
    attempt: 1,
    effect: n,
    deadline: { n, due },
    manageBoot: null,
    lookupBmcAddresses: [],
    next: null,
    deprecatedReturn: false,
  },
});
const waiting = waits(1000, 5000, 1);

/** One event, or all of one decision. */
type Decided = NodeEvent | readonly NodeEvent[];

function said(decided: readonly Decided[]): readonly string[] {
  const book = new NodeBook();
  return decided.flatMap((one) =>
    [one].flat().flatMap((event: NodeEvent, index) => book.heard(event, 'a command', index === 0)),
  );
}

describe('the book of what operators said', () => {
  it.each<[string, NodeEvent[]]>([
    ['ends at its time', [waiting, timedOut(5000, 5000)]],
    ['is extended, and ends then', [waiting, extended(2000, 5000, 9000), timedOut(9000, 9000)]],
    [
      'stands still, goes on with what was left, and ends then',
      [waiting, word('DeadlinePaused', 2000, 5000), word('DeadlineResumed', 8000, 11_000), timedOut(11_000, 11_000)],
    ],
    [
      'goes on by a clock that was set back',
      [waiting, word('DeadlinePaused', 4000, 5000), word('DeadlineResumed', 1500, 5000)],
    ],
    [
      'is extended while it stands still',
      [waiting, word('DeadlinePaused', 2000, 5000), extended(3000, 5000, 6000), word('DeadlineResumed', 4000, 8000)],
    ],
  ])('has nothing to say about a wait that %s', (_, events) => {
    expect(said(events)).toEqual([]);
  });

  it.each<[string, RegExp, NodeEvent[]]>([
    [
      'that passed while it was paused',
      /passed while it was paused/,
      [waiting, word('DeadlinePaused', 2000, 5000), timedOut(5000, 5000)],
    ],
    [
      'that passed before its new time',
      /passed 3000 ms before its last word/,
      [waiting, extended(2000, 5000, 9000), timedOut(6000, 5000)],
    ],
    [
      'that has less left than when it was paused',
      /had 3000 ms left .* has 2000/,
      [waiting, word('DeadlinePaused', 2000, 5000), word('DeadlineResumed', 8000, 10_000)],
    ],
    [
      'that has more left than when it was paused',
      /had 3000 ms left .* has 4000/,
      [waiting, word('DeadlinePaused', 2000, 5000), word('DeadlineResumed', 8000, 12_000)],
    ],
    ['that an extension brings nearer', /leads to 4000/, [waiting, extended(2000, 5000, 4000)]],
    ['that is extended from where it is not', /due at 5000/, [waiting, extended(2000, 4000, 9000)]],
    [
      'that is paused twice',
      /was so since 2000/,
      [waiting, word('DeadlinePaused', 2000, 5000), word('DeadlinePaused', 3000, 5000)],
    ],
    ['that a pause moves', /a pause moves/, [waiting, word('DeadlinePaused', 2000, 6000)]],
    ['that is resumed and was not paused', /was not paused/, [waiting, word('DeadlineResumed', 2000, 5000)]],
    ['that nobody set', /was never set/, [word('DeadlinePaused', 2000, 5000)]],
  ])('tells of a deadline %s', (_, problem, events) => {
    expect(said(events).join()).toMatch(problem);
  });

  it('tells of a retry that began while it was paused', () => {
    const planned: NodeEvent = {
      type: 'InspectionRetryPlanned',
      data: { at: 1000, attempt: 1, deadline: { n: 1, due: 5000 }, retry: { number: 1, of: 2 }, error: 'e' },
    };
    const book = new NodeBook();
    for (const event of [planned, word('DeadlinePaused', 2000, 5000)])
      expect(book.heard(event, 'a command')).toEqual([]);
    const begun = book.heard(started({ at: 6000, attempt: 2 }), 'deadline 1');
    expect(begun).toEqual(['InspectionStarted: deadline 1 passed while it was paused']);
  });

  describe('of a wait that follows another of its attempt', () => {
    const again = waits(3000, 7000, 2);
    const after: NodeEvent = { type: 'EffectClosed', data: { at: 4000, effect: 4, outcome: 'done' } };
    const [longer, paused] = [extended(2000, 5000, 9000), word('DeadlinePaused', 2000, 5000)];

    it.each<[string, Decided[]]>([
      ['nobody had spoken of it', [waiting, again, after]],
      ['its extension is said again', [waiting, longer, [again, extended(3000, 7000, 9000, 2)], after]],
      ['its pause is said again', [waiting, paused, [again, word('DeadlinePaused', 3000, 7000, 2)], after]],
      [
        'its pause is said again and ended at once',
        [
          waiting,
          paused,
          [again, word('DeadlinePaused', 3000, 7000, 2)],
          word('DeadlineResumed', 3000, 7000, 2),
          after,
        ],
      ],
      ['it belongs to another attempt', [waiting, longer, started({ attempt: 2 }), again, after]],
    ])('has nothing to say where %s', (_, events) => {
      expect(said(events)).toEqual([]);
    });

    it('tells of an extension that is lost, and of a pause', () => {
      expect(said([waiting, longer, again, after])).toEqual(['deadline 2 has 4000 ms left, its wait had 6000 before']);
      expect(said([waiting, paused, again, after])).toEqual(['deadline 2 runs, its wait was paused']);
    });
  });

  it('compares rows with the last word', () => {
    const book = new NodeBook();
    for (const event of [waiting, word('DeadlinePaused', 2000, 5000)]) book.heard(event, '');
    const row = (due: number, status: string) => book.deadlines.wrongRow({ n: 1, due, status });
    expect(row(5000, 'held')).toBeNull();
    expect(row(5000, 'open')).toMatch(/is paused and read as open/);
    expect(row(5001, 'held')).toMatch(/its last word says 5000/);
  });

  const requested = (reason?: string): NodeEvent => ({
    type: 'InspectionAbortRequested',
    data: { at: 1, attempt: 1, effect: effect(), giveUp: { n: 2, due: 9 }, host: 'h', ...(reason ? { reason } : {}) },
  });
  const aborted = (error: string, reason?: string): NodeEvent => ({
    type: 'InspectionAborted',
    data: { at: 2, attempt: 1, effect: 1, error, cleanUp: [], ...(reason ? { reason } : {}) },
  });

  it('tells of a reason that was lost on the way to the ending', () => {
    expect(said([requested('why'), aborted('aborted: why', 'why')])).toEqual([]);
    expect(said([requested(), aborted('aborted.')])).toEqual([]);
    expect(said([requested('why'), aborted('aborted.')]).join()).toMatch(/tells "undefined", asked was "why"/);
    expect(said([requested('why'), aborted('aborted.', 'why')]).join()).toMatch(/does not end with "why"/);
    expect(said([aborted('aborted.')]).join()).toMatch(/was never asked for/);
    const refused: NodeEvent = {
      type: 'InspectionAbortRefused',
      data: { at: 2, attempt: 1, effect: 1, error: 'refused' },
    };
    expect(said([requested('why'), refused, aborted('aborted.')]).join()).toMatch(/was never asked for/);
  });

  it('keeps the reason of an abort of work that was put off', () => {
    const put = (reason?: string): NodeEvent => ({
      type: 'WorkAbortPostponed',
      data: { at: 1, work: 'clean', ...(reason ? { reason } : {}) },
    });
    const end = (reason: string): NodeEvent => ({
      type: 'WorkAborted',
      data: { at: 2, work: 'clean', state: 'clean failed', error: `aborted: ${reason}`, reason },
    });
    expect(said([put('one'), put(), end('one')])).toEqual([]);
    expect(said([put('one'), put('two'), end('two')])).toEqual([]);
    expect(said([put('one'), put('two'), end('one')]).join()).toMatch(/asked was "two"/);
    expect(said([end('at once')])).toEqual([]);
  });

  const payload = { inventory: 'sha256:in', pluginData: 'sha256:beside' };
  const kept: NodeEvent = {
    type: 'InspectionDataRefused',
    data: { at: 1, record: 1, attempt: 1, state: 'manageable', why: 'late', payload, bytes: 1 },
  };
  const processing = (using = payload): Effect => ({
    n: 3,
    attempt: 2,
    task: { kind: 'process inspection data', payload: using },
  });

  it('tells of refused data that is not what is used, and of a machine that is not left alone', () => {
    const promoted = (own = processing()) => started({ attempt: 2, effect: own, promotes: 1 });
    const ended = (...cleanUp: Effect[]): NodeEvent => ({
      type: 'InspectionFinished',
      data: { at: 3, attempt: 2, effect: 3, inventory: null, cleanUp },
    });
    const off = effect({ kind: 'power', target: 'power off', timeoutSeconds: null, cleanUp: true });
    expect(said([kept, promoted(), ended()])).toEqual([]);
    expect(said([promoted()]).join()).toMatch(/not what was there/);
    expect(said([kept, promoted(processing({ ...payload, inventory: 'other' }))]).join()).toMatch(/not what was there/);
    expect(said([kept, promoted(), ended(off)]).join()).toMatch(/attempt 2 uses data, and leads to "power"/);
    expect(said([kept, started({ attempt: 2 }), ended(off)])).toEqual([]);
  });

  it('tells of data that is processed once more and is not the last', () => {
    const resumed = (attempt: number, own = processing()): NodeEvent => ({
      type: 'InspectionResumed',
      data: { at: 1, attempt, effect: own, host: 'h', tokenDigest: null },
    });
    const again = (reprocesses: number) => started({ attempt: 5, effect: processing(), reprocesses });
    const other = processing({ ...payload, inventory: 'other' });
    expect(said([resumed(2, other), resumed(3), again(3)])).toEqual([]);
    expect(said([resumed(3), resumed(4, other), again(3)]).join()).toMatch(/not what was there/);
    expect(said([resumed(3), again(2)]).join()).toMatch(/not what was there/);
    expect(said([again(3)]).join()).toMatch(/not what was there/);
  });

  function effect(task: Effect['task'] = { kind: 'abort inspection' }): Effect {
    return { n: 1, attempt: 1, task };
  }

  function started(data: Partial<Extract<NodeEvent, { type: 'InspectionStarted' }>['data']>): NodeEvent {
    const usual = { at: 0, attempt: 1, interface: 'agent', timeoutSeconds: 0, timeoutFrom: 'settings' } as const;
    return {
      type: 'InspectionStarted',
      data: { ...usual, effect: effect({ kind: 'inspect' }), host: 'h', ...data },
    };
  }
});
