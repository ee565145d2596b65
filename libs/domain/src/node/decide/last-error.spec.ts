import type { NodeCommand, NodeEvent } from '..';
import {
  DUE,
  aborting,
  continued,
  done,
  failed,
  inspecting,
  manageable,
  nodeAfter,
  power,
  provision,
  returned,
  timedOut,
} from '../spec';

const AT = DUE + 1000;
const errorAfter = (past: readonly NodeEvent[], ...commands: readonly NodeCommand[]) =>
  nodeAfter(continued(past, ...commands.map((command, index) => [command, AT + index] as const))).lastError;

const aborted = continued(aborting(), [done(4), 21_000]);

describe('the reason of a failed inspection', () => {
  it('survives a power request in inspect failed, whoever asks, done or not', () => {
    expect(errorAfter(aborted, power('power off'))).toContain('aborted');
    expect(errorAfter(aborted, power('power off'), done(5, { powerState: 'power off' }))).toContain('aborted');
    expect(errorAfter(aborted, power('power off'), done(5, { powerState: 'power off', changed: false }))).toContain(
      'aborted',
    );
  });

  it('is extended by a power request that fails', () => {
    const error = errorAfter(aborted, power('power off'), failed(5, 'BMC is gone'));
    expect(error).toMatch(/aborted.*BMC is gone/);
  });

  it('survives manage', () => {
    expect(errorAfter(aborted, provision('manage'))).toContain('aborted');
    expect(errorAfter(timedOut(), provision('manage'))).toMatch(/timeout reached/i);
  });

  it('is cleared by the next inspection, from either state', () => {
    expect(errorAfter(aborted, provision('inspect'))).toBeNull();
    expect(errorAfter(aborted, provision('manage'), provision('inspect'))).toBeNull();
  });

  it('is cleared by a power request in another state', () => {
    expect(errorAfter(aborted, provision('manage'), power('power off'))).toBeNull();
  });

  it('is cleared by other work', () => {
    expect(errorAfter(aborted, provision('manage'), provision('provide'))).toBeNull();
  });
});

describe('the text of a refused abort', () => {
  const refused = continued(aborting(), [failed(4, 'locked'), 21_000]);

  it('gives way to a power request and to the ending', () => {
    expect(errorAfter(refused)).toContain('Failed to abort');
    expect(errorAfter(refused, power('power on'))).toBeNull();
    expect(errorAfter(refused, provision('abort'), done(5))).toContain('aborted');
  });
});

describe('the text of a failed power change', () => {
  const broken = continued(manageable(), [power('power on'), 9000], [failed(2, 'BMC is gone'), 9100]);

  it('stands alone, and is cleared by the next request or an inspection', () => {
    expect(errorAfter(broken)).toBe('Failed to change the power state: BMC is gone');
    expect(errorAfter(broken, power('power on'))).toBeNull();
    expect(errorAfter(broken, provision('inspect'))).toBeNull();
  });

  it('stands alone after an inspection that found its data', () => {
    const past = continued(inspecting(), [returned(2, 'MANAGEABLE'), 12_000]);
    expect(errorAfter(past, power('power on'), failed(3, 'BMC is gone'))).toBe(
      'Failed to change the power state: BMC is gone',
    );
  });
});
