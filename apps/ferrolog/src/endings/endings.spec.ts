import { scriptOf, type Script } from '@lib/domain/introspection';
import { callbackDifferences, differences, type Expectation, expectationOf, hasEnded } from './index';

const script = (simulator: object): Script => {
  const found = scriptOf({ simulator: { ...simulator } });
  if (!found) throw new Error('no script');
  return found;
};
const ending = (simulator: object, timeoutMs = 60_000, abortMs: number | null = null): Expectation =>
  expectationOf(script(simulator), { timeoutMs, abortMs });
const short = ({ ending: name, callbacks }: Expectation): string => `${name} [${callbacks.join(' ')}]`;

describe('how a scripted node ends', () => {
  it.each([
    ['good data in time', ending({ script: 'succeed', after: 2 }), 'inspected [200]'],
    ['good data after the deadline', ending({ script: 'succeed', after: 9 }, 5000), 'timed out [200]'],
    ['an abort before the data', ending({ script: 'succeed', after: 9 }, 60_000, 2000), 'aborted [400]'],
    ['an abort after the data', ending({ script: 'succeed', after: 1 }, 60_000, 5000), 'inspected [200]'],
    ['data twice', ending({ script: 'twice' }), 'inspected [200 400]'],
    ['a failing ramdisk', ending({ script: 'error' }), 'failed by the ramdisk [400]'],
    ['silence', ending({ script: 'never' }), 'timed out []'],
    ['silence and an abort', ending({ script: 'never' }, 60_000, 1000), 'aborted []'],
    ['an abort that comes after the deadline', ending({ script: 'never' }, 2000, 3000), 'timed out []'],
    ['late data after a timeout', ending({ script: 'late' }, 2000), 'timed out [200]'],
    ['late data after an abort', ending({ script: 'late' }, 60_000, 1000), 'aborted [400]'],
    ['a refused abort, then data', ending({ script: 'refuse-abort', after: 1 }, 60_000, 1000), 'inspected [200]'],
    ['a refused abort, then silence', ending({ script: 'refuse-abort' }, 9000, 1000), 'timed out []'],
    ['an ignored abort, then data', ending({ script: 'ignore-abort', after: 1 }, 60_000, 1000), 'aborted [200]'],
    ['data after half a minute', ending({ script: 'slow' }, 60_000), 'inspected [200]'],
    ['data after half a minute, too late', ending({ script: 'slow' }, 20_000), 'timed out [200]'],
    ['data after a failure', ending({ script: 'after-abort' }, 2000), 'timed out [200]'],
    ['data after an abort', ending({ script: 'after-abort' }, 60_000, 1000), 'aborted [400]'],
    ['half a body', ending({ script: 'malformed' }, 2000), 'timed out [400]'],
    ['half a body and an abort', ending({ script: 'malformed' }, 60_000, 5000), 'aborted [400]'],
    ['a ramdisk that crashed', ending({ script: 'crash' }, 2000), 'timed out []'],
    ['a lost cache', ending({ script: 'cache-lost' }, 2000), 'timed out [400]'],
    ['a lost cache and an abort', ending({ script: 'cache-lost' }, 60_000, 5000), 'aborted [400]'],
    ['no deadline at all', ending({ script: 'succeed', after: 100 }, 0), 'inspected [200]'],
  ])('%s', (_name, expected, told) => expect(short(expected)).toBe(told));

  it('keeps the words of the ramdisk in last_error', () => {
    expect(ending({ script: 'error', message: 'disk is gone' }).error).toBe('disk is gone');
  });
});

describe('whether it did', () => {
  const timedOut = ending({ script: 'never' }, 2000);
  const right = { state: 'inspect failed', error: 'Timeout reached while ...', power: 'power off', inventory: false };

  it('is seen in state, error, power and inventory', () => {
    expect(differences(timedOut, right)).toEqual([]);
    expect(differences(timedOut, { ...right, state: 'manageable' })).toEqual(['state manageable, not inspect failed']);
    expect(differences(timedOut, { ...right, error: null })).toEqual([
      'last_error is empty, not with "timeout reached"',
    ]);
    expect(differences(timedOut, { ...right, power: 'power on' })).toEqual(['power power on, not power off']);
    expect(differences(timedOut, { ...right, inventory: true })).toEqual(['an inventory is there']);
    expect(differences(ending({ script: 'succeed' }), { ...right, state: 'manageable' })).toHaveLength(2);
  });

  it('is seen in the answers to the ramdisk', () => {
    const twice = ending({ script: 'twice' });
    expect(callbackDifferences(twice, [200, 400])).toEqual([]);
    expect(callbackDifferences(twice, [200, 200])).toEqual(['callbacks answered 200, 200, not 200, 400']);
    expect(callbackDifferences(twice, [])).toEqual(['callbacks answered none, not 200, 400']);
  });

  it('is over once the state is and no power action is open', () => {
    const node = { uuid: 'u', name: null, target_provision_state: null, power_state: null, last_error: null };
    const seen = (provision_state: string, target_power_state: string | null) =>
      hasEnded({ ...node, provision_state, target_power_state });
    expect([seen('inspect wait', null), seen('inspecting', null)]).toEqual([false, false]);
    expect([seen('inspect failed', 'power off'), seen('inspect failed', null)]).toEqual([false, true]);
  });
});
