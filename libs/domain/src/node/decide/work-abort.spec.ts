import type { NodeCommand, NodeEvent } from '..';
import { continued, done, heartbeat, lookUp, manageable, nodeAfter, provision } from '../spec';

const abort: NodeCommand = { ...provision('abort'), reason: 'wrong rack' } as NodeCommand;
const steps = [
  { interface: 'deploy', step: 'one' },
  { interface: 'deploy', step: 'two' },
];

/** Waits for its ramdisk in the first of two steps of a manual cleaning. */
const cleaning = (abortable: boolean): readonly NodeEvent[] =>
  continued(
    manageable(),
    [{ ...provision('clean'), steps } as NodeCommand, 10_000],
    [done(2, { waits: { abortable } }), 11_000],
  );

describe('the reason of an abort', () => {
  it('ends the text of work that is aborted while it waits', () => {
    const past = continued(cleaning(true), [abort, 20_000]);
    expect(past.at(-1)).toMatchObject({ type: 'WorkAborted', data: { reason: 'wrong rack' } });
    expect(nodeAfter(past).lastError).toMatch(/aborted by request .*: wrong rack$/);
  });

  it('is kept until the step has ended that must not be broken off', () => {
    const postponed = continued(cleaning(false), [lookUp('digest-1'), 12_000], [abort, 20_000]);
    expect(postponed.at(-1)).toMatchObject({ type: 'WorkAbortPostponed', data: { reason: 'wrong rack' } });
    expect(nodeAfter(continued(postponed, [heartbeat(), 30_000])).lastError).toMatch(/aborted .*: wrong rack$/);
  });
});
