import {
  begun,
  ended,
  type Introspection,
  inspectorTime,
  isOverdue,
  knownBy,
  moved,
  newestFirst,
  reapplied,
  statusOf,
} from './introspection';
import { findByAttributes } from './lookup';
import type { IntrospectionState } from './states';

const NODE = '11111111-2222-4333-8444-555555555555';
const start = { uuid: NODE, run: 1, now: 1000, manageBoot: true, bmcAddresses: ['192.0.2.1'] };
const rowIn = (state: IntrospectionState, changes: Partial<Introspection> = {}): Introspection => ({
  ...begun(undefined, start),
  state,
  ...changes,
});
const waiting = knownBy(moved(begun(undefined, start), 'wait'), ['52:54:00:00:00:01']);

describe('a run of the inspector', () => {
  it('begins in starting and drops the data and the ending of the run before', () => {
    const old = rowIn('error', { finishedAt: 900, error: 'x', unprocessed: { a: 1 }, processed: { a: 1 } });
    expect(begun(old, { ...start, run: 2, now: 2000 })).toEqual({
      ...begun(undefined, start),
      run: 2,
      startedAt: 2000,
    });
  });

  it.each(['starting', 'processing', 'reapplying', 'enrolling', 'aborting'] as const)(
    'cannot begin while the last one is %s',
    (state) => {
      expect(() => begun(rowIn(state), start)).toThrow(expect.objectContaining({ code: 'INVALID' }));
    },
  );

  it('forgets its lookup attributes at every ending', () => {
    const done = ended(moved(waiting, 'process'), 'finish', 3000, null);
    expect(done).toMatchObject({ state: 'finished', finishedAt: 3000, error: null });
    expect(done.attributes).toEqual({ macs: [], bmcAddresses: [] });
    expect(ended(moved(waiting, 'abort'), 'abort_end', 3000, 'Canceled by operator').state).toBe('error');
  });

  it('has no error event while it waits: bad data leaves it waiting', () => {
    expect(() => ended(waiting, 'error', 3000, 'bad data')).toThrow(/"error" is not possible in state "waiting"/);
  });

  it('starts its clock anew when stored data is applied again', () => {
    const done = ended(moved(waiting, 'process'), 'finish', 3000, null);
    expect(reapplied(done, 9000)).toMatchObject({ state: 'reapplying', startedAt: 9000, finishedAt: null });
  });

  it('is overdue after the timeout, not at it, and never with a timeout of zero', () => {
    expect(isOverdue(waiting, 1000 + 3600, 3600)).toBe(false);
    expect(isOverdue(waiting, 1001 + 3600, 3600)).toBe(true);
    expect(isOverdue(waiting, 9_999_999, 0)).toBe(false);
    expect(isOverdue(ended(waiting, 'timeout', 2000, 'x'), 9_999_999, 3600)).toBe(false);
  });

  it('shows times without zone, with a fraction only where there is one', () => {
    expect(inspectorTime(Date.parse('2024-01-31T10:00:00.123Z'))).toBe('2024-01-31T10:00:00.123000');
    expect(inspectorTime(Date.parse('2024-01-31T10:00:00Z'))).toBe('2024-01-31T10:00:00');
    expect(statusOf(ended(waiting, 'timeout', 61_000, 'Introspection timeout'))).toEqual({
      uuid: NODE,
      finished: true,
      state: 'error',
      started_at: '1970-01-01T00:00:01',
      finished_at: '1970-01-01T00:01:01',
      error: 'Introspection timeout',
    });
  });

  it('is listed newest first, then by uuid downwards', () => {
    const rows = [
      rowIn('waiting', { uuid: 'a' }),
      rowIn('waiting', { uuid: 'b' }),
      rowIn('waiting', { uuid: 'c', startedAt: 5000 }),
    ];
    expect([...rows].sort(newestFirst).map((row) => row.uuid)).toEqual(['c', 'b', 'a']);
  });
});

describe('finding the node of some data', () => {
  const a = rowIn('waiting', { uuid: 'a', attributes: { macs: ['m1', 'm2'], bmcAddresses: ['b1'] } });
  const b = rowIn('waiting', { uuid: 'b', attributes: { macs: ['m3'], bmcAddresses: ['b1'] } });

  it('takes the row with most matching attributes', () => {
    expect(findByAttributes([a, b], { macs: ['m3'], bmcAddresses: ['b1'] }).uuid).toBe('b');
    expect(findByAttributes([b, a], { macs: ['m1', 'm2', 'm3'], bmcAddresses: [] }).uuid).toBe('a');
  });

  it.each([
    ['several match equally well', { macs: [], bmcAddresses: ['b1'] }, /Several nodes match.*a, b/],
    ['nobody matches', { macs: ['m9'], bmcAddresses: [] }, /No node on introspection has any of the addresses m9/],
    ['there is nothing to look for', { macs: [], bmcAddresses: [] }, /neither a usable MAC nor a BMC address/],
  ])('refuses when %s', (_case, sent, text) => {
    expect(() => findByAttributes([a, b], sent)).toThrow(text);
  });
});
