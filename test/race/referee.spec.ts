import type { ShownEvent, ShownNode } from '../stack';
import { planRound } from './plan';
import { judgeFight } from './referee';
import type { Fight, Fired } from './ring';

const event = (type: string, data: Record<string, unknown> = {}): ShownEvent => ({
  position: 1,
  version: 1,
  type,
  data,
  meta: {},
  recorded_at: '',
});
const node = (state: string, error: string | null): ShownNode => ({
  uuid: 'u',
  provision_state: state,
  power_state: null,
  last_error: error,
  reservation: null,
  maintenance: false,
});
const shot = (what: Fired['what'], status: number): Fired => ({ what, status, text: '' });
const timedOut = event('InspectionTimedOut', { at: 10, deadline: { n: 1, due: 10 } });
const aborted = event('InspectionAborted');
const fight = (changes: Partial<Fight>): Fight => ({
  round: planRound(1, 0),
  uuid: 'u',
  fired: [shot('abort', 202)],
  events: [event('InspectionStarted'), aborted],
  node: node('inspect failed', 'Inspection was aborted by request'),
  history: ['Inspection was aborted by request'],
  ...changes,
});

describe('the plan', () => {
  it('is the same for the same seed, in the order of firing', () => {
    const plans = Array.from({ length: 50 }, (_, number) => planRound(4711, number));
    expect(plans).toEqual(Array.from({ length: 50 }, (_, number) => planRound(4711, number)));
    expect(plans).not.toEqual(Array.from({ length: 50 }, (_, number) => planRound(4712, number)));
    for (const { shots } of plans) expect(shots).toEqual([...shots].sort((a, b) => a.atMs - b.atMs));
  });

  it('brings every contestant against every other', () => {
    const lineups = Array.from({ length: 200 }, (_, number) => planRound(1, number));
    const seen = new Set(
      lineups.flatMap(({ shots, timeoutS }) => [timeoutS > 0 ? 'timeout' : '', ...shots.map(({ what }) => what)]),
    );
    expect(seen).toEqual(new Set(['', 'timeout', 'abort', 'callback', 'remove', 'maintenance']));
  });
});

describe('the referee', () => {
  it('has nothing to say about a fair fight', () => {
    expect(judgeFight(fight({}))).toEqual([]);
    expect(
      judgeFight(
        fight({
          fired: [shot('abort', 400)],
          events: [timedOut],
          node: node('inspect failed', 'timeout reached'),
          history: ['timeout reached'],
        }),
      ),
    ).toEqual([]);
    expect(
      judgeFight(
        fight({
          fired: [shot('remove', 202), shot('delete', 204), shot('abort', 404)],
          events: [event('InspectionRemoved')],
          node: null,
          history: [],
        }),
      ),
    ).toEqual([]);
    expect(
      judgeFight(
        fight({
          fired: [shot('callback', 200), shot('abort', 400)],
          events: [event('InspectionFinished')],
          node: node('manageable', null),
          history: [],
        }),
      ),
    ).toEqual([]);
  });

  const UNFAIR: ReadonlyArray<readonly [string, Partial<Fight>]> = [
    ['no ending', { events: [event('InspectionStarted')] }],
    ['two endings', { events: [aborted, timedOut] }],
    ['the same ending twice', { events: [aborted, aborted] }],
    ['two accepted aborts', { fired: [shot('abort', 202), shot('abort', 202)] }],
    [
      'an accepted abort of an attempt that timed out',
      { events: [timedOut], node: node('inspect failed', 'timeout reached'), history: ['timeout reached'] },
    ],
    ['an abort that ended it but was refused', { fired: [shot('abort', 409)] }],
    ['a 500 that no refusal explains', { fired: [shot('abort', 202), shot('abort', 500)] }],
    ['a 503', { fired: [shot('abort', 202), shot('abort', 503)] }],
    ['no answer', { fired: [shot('abort', 202), shot('callback', 0)] }],
    ['an accepted delete of a node that is there', { fired: [shot('abort', 202), shot('delete', 204)] }],
    ['a node that is gone without a delete', { node: null }],
    ['a state that does not match', { node: node('manageable', 'aborted') }],
    ['a reason that is lost', { node: node('inspect failed', null) }],
    ['a history that tells it twice', { history: ['aborted', 'aborted'] }],
    ['a history that keeps silent', { history: [] }],
    [
      'a finish that nobody reported',
      { fired: [], events: [event('InspectionFinished')], node: node('manageable', null), history: [] },
    ],
    [
      'an early timeout',
      {
        fired: [],
        events: [event('InspectionTimedOut', { at: 9, deadline: { n: 1, due: 10 } })],
        node: node('inspect failed', 'timeout reached'),
        history: ['timeout reached'],
      },
    ],
  ];
  it.each(UNFAIR)('objects to %s', (_what, changes) => {
    expect(judgeFight(fight(changes))).not.toEqual([]);
  });
});
