import { specify } from '@lib/testing/specify';
import {
  available,
  contextAt,
  continued,
  done,
  failed,
  inspector,
  interrupt,
  maintain,
  manageable,
  nodeAfter,
  nodeDecider,
  provision,
} from '../spec';
import type { NodeCommand, NodeEvent, NodeFields, WorkStep } from '..';

const given = specify(nodeDecider, contextAt);

/** The end of a tear down, with the steps of the cleaning that follows. */
const tornDownTo = (effect: number, nextSteps: readonly WorkStep[]): NodeCommand => ({
  type: 'EndEffect',
  effect,
  outcome: { result: 'done', value: {} },
  inspect: inspector,
  nextSteps,
});

/** Deployed: effect 3 made it so. */
const active = (fields: Partial<NodeFields> = {}): readonly NodeEvent[] =>
  continued(available(fields), [provision('active'), 6000], [done(3), 7000]);
const deleting = (fields: Partial<NodeFields> = {}) => continued(active(fields), [provision('deleted'), 8000]);

describe('a step that changes the RAID of the machine', () => {
  const cleaning = () => continued(manageable(), [provision('clean'), 5000]);
  const raidConfig = { logical_disks: [{ size_gb: 10, raid_level: '1' }] };

  it('is followed by what it made of it, and by nothing where that was so before', () => {
    const finished = continued(cleaning(), [done(2, { raidConfig }), 6000]);
    expect(nodeAfter(finished).managed.raidConfig).toEqual(raidConfig);
    expect(nodeAfter(finished).provisionState).toBe('manageable');
    const again = continued(finished, [provision('clean'), 7000], [done(3, { raidConfig }), 8000]);
    expect(again.filter(({ type }) => type === 'ManagementDone')).toEqual([
      { type: 'ManagementDone', data: { at: 6000, effect: null, changed: { raidConfig } } },
    ]);
    const deleted = continued(again, [provision('clean'), 9000], [done(4, { raidConfig: {} }), 9500]);
    expect(nodeAfter(deleted).managed.raidConfig).toEqual({});
  });

  it('changes nothing when it fails', () => {
    expect(nodeAfter(continued(cleaning(), [failed(2, 'why'), 6000])).managed.raidConfig ?? {}).toEqual({});
  });
});

describe('a node whose machine a failure leaves in no known condition', () => {
  const cleaning = (verb: string) => continued(manageable(), [provision(verb), 5000]);
  const serving = () => continued(active(), [provision('service'), 8000]);

  it.each([
    ['clean', () => cleaning('clean'), 2, 'clean failure'],
    ['provide', () => cleaning('provide'), 2, 'clean failure'],
    ['service', serving, 4, 'service failure'],
  ] as const)('is in maintenance after %s until that is taken away', (_verb, past, effect, fault) => {
    const faulty = continued(past(), [failed(effect, 'no disk'), 9000]);
    const { fields, lastError } = nodeAfter(faulty);
    expect(fields).toMatchObject({ maintenance: true, fault, maintenance_reason: lastError });
    const cleared = nodeAfter(continued(faulty, [{ type: 'ClearMaintenance' }, 9500]));
    expect(cleared.fields).toMatchObject({ maintenance: false, fault: null, maintenance_reason: null });
    expect(cleared.lastError).toBe(lastError);
  });

  it('keeps the reason of who had set maintenance before', () => {
    const past = continued(cleaning('clean'), [maintain('new fans'), 6000], [failed(2, 'no disk'), 7000]);
    expect(nodeAfter(past).fields).toMatchObject({ maintenance_reason: 'new fans', fault: 'clean failure' });
  });

  it('is managed again at once, and serves when maintenance is over', () => {
    const past = continued(cleaning('clean'), [failed(2, 'no disk'), 6000], [provision('manage'), 7000]);
    expect(nodeAfter(past)).toMatchObject({ provisionState: 'manageable', fields: { fault: 'clean failure' } });
    given(past).when(provision('clean'), 8000).thenRefused('IN_MAINTENANCE');
    const cleared = continued(past, [{ type: 'ClearMaintenance' }, 8000], [provision('clean'), 9000]);
    expect(nodeAfter(cleared).provisionState).toBe('cleaning');
  });

  it.each([
    ['deployment', () => continued(available(), [provision('active'), 6000], [failed(3, 'why'), 7000])],
    ['a conductor that went away', () => continued(cleaning('clean'), [interrupt('all'), 7000])],
  ])('is not made by %s', (_what, past) => {
    expect(nodeAfter(past()).fields).toMatchObject({ maintenance: false, fault: null });
  });
});

describe('automated cleaning by steps', () => {
  const steps = [
    { interface: 'deploy', step: 'erase_devices_metadata', priority: 99 },
    { interface: 'deploy', step: 'erase_devices', priority: 10 },
  ];
  const provided = (fields: Partial<NodeFields> = {}) =>
    continued(manageable(fields), [{ ...provision('provide'), steps }, 5000]);
  const tornDown = (fields: Partial<NodeFields> = {}) => continued(deleting(fields), [tornDownTo(4, steps), 9000]);

  it.each([
    ['after provide', provided, 2],
    ['after a tear down', tornDown, 5],
  ])('takes them one by one %s', (_when, past, n) => {
    const first = nodeAfter(past());
    expect(first.effects).toEqual([{ n, attempt: null, task: { kind: 'work', work: 'clean', step: steps[0] } }]);
    expect(first.work).toMatchObject({ work: 'clean', steps, index: 0 });
    const second = continued(past(), [done(n), 10_000]);
    expect(nodeAfter(second).effects).toMatchObject([{ n: n + 1, task: { step: steps[1] } }]);
    expect(nodeAfter(continued(second, [done(n + 1), 11_000])).provisionState).toBe('available');
    const unlucky = nodeAfter(continued(second, [failed(n + 1, 'no disk'), 11_000]));
    expect(unlucky.lastError).toBe('Automated cleaning failed: step deploy.erase_devices failed: no disk');
  });

  it.each([
    ['after provide', provided],
    ['after a tear down', tornDown],
  ])('takes none where the node wants none, %s', (_when, past) => {
    const node = nodeAfter(past({ automated_clean: false }));
    expect(node.work?.steps).toEqual([]);
    expect(node.effects).toMatchObject([{ task: { kind: 'work', work: 'clean', automated: false } }]);
  });
});

describe('steps of which the history is to tell', () => {
  const told = (at: number) => ({ at, recordStepFlows: true });
  const steps = [{ interface: 'deploy', step: 'one' }];
  const clean = { ...provision('clean'), steps };
  const marks = (past: readonly NodeEvent[]) =>
    past.filter(({ data }) => 'history' in data && data.history).map(({ type }) => type);

  it('are marked where they begin and where all have been taken', () => {
    const started = continued(manageable(), [clean, told(5000)]);
    expect(marks(continued(started, [done(2), told(6000)]))).toEqual(['WorkStarted', 'WorkFinished']);
    expect(marks(continued(started, [failed(2, 'why'), told(6000)]))).toEqual(['WorkStarted']);
    expect(marks(continued(deleting(), [tornDownTo(4, steps), told(9000)], [done(5), told(9500)]))).toEqual([
      'WorkFinished',
      'WorkFinished',
    ]);
  });

  it('are not marked where there are none, or nobody wants to know', () => {
    expect(marks(continued(manageable(), [provision('clean'), told(5000)], [done(2), told(6000)]))).toEqual([]);
    expect(marks(continued(manageable(), [clean, 5000], [done(2), 6000]))).toEqual([]);
  });
});
