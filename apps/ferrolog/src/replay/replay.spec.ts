import { fieldDefaults } from '@lib/domain';
import type { ShownEvent } from '../node-events';
import { painter } from '../screen';
import { difference } from './difference';
import { replayLines } from './render';
import { eventsUpTo, stepsOf, untilOf } from './steps';

const T0 = Date.parse('2026-11-30T12:00:00Z');

/** A second apart. */
const history = (...told: readonly [type: string, data: object][]): ShownEvent[] =>
  told.map(([type, data], at) => ({
    position: at + 1,
    version: at + 1,
    type,
    schema: 1,
    data: { at: T0 + at * 1000, ...data },
    meta: { requestId: 'req-12345678-aaaa' },
    recorded_at: new Date(T0 + at * 1000).toISOString(),
  }));

const life = history(
  [
    'NodeEnrolled',
    { uuid: 'u', fields: { ...fieldDefaults, name: 'n.1', driver: 'fake-hardware' }, state: 'enroll', keyId: null },
  ],
  ['NodeManaged', { from: 'enroll' }],
  ['NodeTeleported', { where: 'mars', attempt: 4 }],
  ['MaintenanceSet', { reason: 'fan' }],
  ['NodeRemoved', {}],
);

describe('replay', () => {
  it('has the state after each event, and what changed', () => {
    const steps = stepsOf(life);
    expect(steps.map(({ state }) => state && state['provision_state'])).toEqual([
      'enroll',
      'manageable',
      'manageable',
      'manageable',
      null,
    ]);
    expect(steps[3]?.difference.filter(({ path }) => path.startsWith('maintenance'))).toEqual([
      { path: 'maintenance', from: false, to: true },
      { path: 'maintenance_reason', from: null, to: 'fan' },
    ]);
  });

  it('carries an event of another release and says so', () => {
    const steps = stepsOf(life);
    expect(steps.map(({ known }) => known)).toEqual([true, true, false, true, true]);
    const text = replayLines(steps.slice(0, 3), painter(false)).join('\n');
    expect(text).toContain('NodeTeleported is unknown to this release; carried, not folded');
    expect(text).toContain('~ provision_state: enroll → manageable');
    expect(text).toContain('State as of v3');
  });

  it('ends with the node that is gone', () => {
    expect(replayLines(stepsOf(life), painter(false)).slice(-4)).toEqual([
      '    the node is gone',
      '',
      'State as of v5',
      '    there is no node',
    ]);
  });
});

describe('--to', () => {
  const upTo = (text: string): number[] => eventsUpTo(life, untilOf(text)).map(({ version }) => version);

  it('is a version', () => {
    expect([upTo('2'), upTo('v2')]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(() => upTo('6')).toThrow('The node has the versions 1 to 5; there is no 6.');
  });

  it('is a time, UTC unless it says otherwise, and includes what was recorded at it', () => {
    for (const text of [
      '2026-11-30T12:00:02Z',
      '2026-11-30 12:00:02',
      '2026-11-30T13:00:02.5+01:00',
      '2026-11-30T12:00:02,9',
    ]) {
      expect(upTo(text)).toEqual([1, 2, 3]);
    }
    expect(upTo('2026-12-01')).toHaveLength(5);
    expect(() => upTo('2026-11-30')).toThrow('the node had no event yet');
  });

  it.each(['yesterday', '7.5', '-1', '12:00', '2026-13-40T00:00:00Z', '30.11.2026'])('is not %s', (text) => {
    expect(() => untilOf(text)).toThrow('A version (7) or a time');
  });
});

describe('the difference of two states', () => {
  it('goes down to the single value, and tells what came and went', () => {
    const before = { a: 1, deep: { same: [1], gone: 'x', changed: null }, list: [1] };
    const after = { a: 1, deep: { same: [1], changed: { inner: 2 } }, list: [1, 2], empty: {} };
    expect(difference(before, after)).toEqual([
      { path: 'deep.gone', from: 'x' },
      { path: 'deep.changed', from: null, to: { inner: 2 } },
      { path: 'list', from: [1], to: [1, 2] },
      { path: 'empty', to: {} },
    ]);
    expect(difference(null, null)).toEqual([]);
  });

  it('takes a key for a key, whatever its name', () => {
    const odd = JSON.parse('{"__proto__": {"x": 1}, "": "empty"}') as Record<string, unknown>;
    expect(difference({}, odd).map(({ path }) => path)).toEqual(['__proto__.x', '']);
  });
});
