import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeStatus, stateChanges } from '.';
import { emptyStream, evolve } from '../node';
import type { NodeEvent } from '../node';
import { aborting, available, manageable, timedOut, waiting } from '../node/spec';
import { transitionRows } from '../states';

const facts = JSON.parse(
  readFileSync(join(__dirname, '../../../../test/contract-data/state-machine.json'), 'utf8'),
) as { transitions: { from: string; event: string; to: string }[]; sets: { unstable: string[] } };

/** Each change of a history as `<trigger> <status>: <from> (<target>) -> <to>`. */
function told(events: readonly NodeEvent[]): string[] {
  let stream = emptyStream;
  return events.flatMap((event) => {
    const before = stream.node;
    stream = evolve(stream, event);
    if (!before || !stream.node) return [];
    return stateChanges(before, event, stream.node).map(
      (change) =>
        `${change.trigger} ${changeStatus(change)}: ${change.from} (${change.fromTarget ?? '-'}) -> ${change.to}`,
    );
  });
}

describe('a change of state', () => {
  const unstable = (state: string): boolean => facts.sets.unstable.includes(state);
  it('has a status by its trigger first, then by whether it goes on by itself, in all 93 transitions', () => {
    const expected = facts.transitions.map(({ from, event, to }) => {
      if (event === 'fail') return `${from} ${event} error`;
      if (unstable(from) === unstable(to)) return `${from} ${event} success`;
      return `${from} ${event} ${unstable(to) ? 'start' : 'end'}`;
    });
    const found = transitionRows().map((row) => `${row.from} ${row.trigger} ${changeStatus(row)}`);
    expect(found.sort()).toEqual(expected.sort());
    expect(found).toHaveLength(93);
  });

  it.each([
    ['manageable', 'inspect', 'inspecting', 'start'],
    ['inspect failed', 'inspect', 'inspecting', 'start'],
    ['inspecting', 'wait', 'inspect wait', 'success'],
    ['inspect wait', 'resume', 'inspecting', 'success'],
    ['inspecting', 'done', 'manageable', 'end'],
    ['inspect wait', 'done', 'manageable', 'end'],
    ['inspecting', 'fail', 'inspect failed', 'error'],
    ['inspect wait', 'fail', 'inspect failed', 'error'],
    ['inspect wait', 'abort', 'inspect failed', 'end'],
    ['inspect failed', 'manage', 'manageable', 'success'],
  ] as const)('of an inspection, %s -%s-> %s, is told as %s', (from, trigger, to, status) => {
    expect(changeStatus({ from, trigger, to })).toBe(status);
  });

  const verified = ['manage start: enroll (-) -> verifying', 'done end: verifying (manageable) -> manageable'];
  const waits = [
    'inspect start: manageable (-) -> inspecting',
    'wait success: inspecting (manageable) -> inspect wait',
  ];
  it('is found in what happened [1.6]', () => {
    expect(told(manageable())).toEqual(verified);
    expect(told(waiting())).toEqual([...verified, ...waits]);
    expect(told(timedOut())).toEqual([
      ...verified,
      ...waits,
      'fail error: inspect wait (manageable) -> inspect failed',
    ]);
    expect(told(available())).toEqual([
      ...verified,
      'provide start: manageable (-) -> cleaning',
      'done end: cleaning (available) -> available',
    ]);
  });

  it('ends an aborted inspection well, and an abort that is only asked for changes nothing', () => {
    const asked = aborting();
    expect(told(asked)).toEqual([...verified, ...waits]);
    const aborted: NodeEvent = {
      type: 'InspectionAborted',
      data: { at: 21_000, attempt: 1, effect: 4, error: 'Inspection was aborted by request.', cleanUp: [] },
    };
    expect(told([...asked, aborted]).at(-1)).toBe('abort end: inspect wait (manageable) -> inspect failed');
  });

  it('may be two steps of the machine: a hold that is ended where nobody calls back', () => {
    const [enrolled] = manageable();
    const held = { ...evolve(emptyStream, enrolled as NodeEvent).node!, provisionState: 'deploy hold' as const };
    const event = { type: 'WorkResumed', data: { at: 1 } } as unknown as NodeEvent;
    const changes = stateChanges(held, event, { ...held, provisionState: 'deploying', targetProvisionState: 'active' });
    expect(changes).toEqual([
      { trigger: 'unhold', from: 'deploy hold', fromTarget: null, to: 'wait call-back' },
      { trigger: 'resume', from: 'wait call-back', fromTarget: 'active', to: 'deploying' },
    ]);
  });

  it('is found although the event is not known to make it', () => {
    const [enrolled] = manageable();
    const node = evolve(emptyStream, enrolled as NodeEvent).node!;
    const foreign = { type: 'NodeForeseen', data: { at: 1 } } as unknown as NodeEvent;
    expect(stateChanges(node, foreign, { ...node, provisionState: 'verifying' })).toMatchObject([
      { trigger: 'manage' },
    ]);
    expect(stateChanges(node, foreign, { ...node, provisionState: 'active' })).toEqual([]);
  });
});
