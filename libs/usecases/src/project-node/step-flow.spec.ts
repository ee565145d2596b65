import type { Node, NodeEvent, WorkStep } from '@lib/domain';
import { flowEntry } from './step-flow';

type FlowEvent = Parameters<typeof flowEntry>[0];

const steps = (count: number): WorkStep[] =>
  Array.from({ length: count }, (_, n) => ({ interface: 'deploy', step: `s${n + 1}` }));
const event = (type: NodeEvent['type'], data: object) => ({ type, data }) as unknown as FlowEvent;
const before = (count: number) => ({ work: { steps: steps(count) } }) as unknown as Node;

describe('the history of steps', () => {
  it.each([
    ['manual clean', 2, 'Manual cleaning started, 2 steps: deploy.s1, deploy.s2'],
    ['service', 1, 'Servicing started, 1 step: deploy.s1'],
  ])('tells of the beginning of a %s, and of whose request it was', (work, count, text) => {
    const started = event('WorkStarted', { work, steps: steps(count), history: true });
    expect(flowEntry(started, before(0))).toEqual({ text, type: 'provisioning', byUser: true, isNews: true });
  });

  it('names the first of many', () => {
    const started = event('WorkStarted', { work: 'deploy', steps: steps(25), history: true });
    expect(flowEntry(started, before(0))?.text).toMatch(/^Deployment started, 25 steps: .*, deploy.s20 and 5 more$/);
  });

  it('tells of the end', () => {
    const finished = event('WorkFinished', { work: 'clean', history: true });
    expect(flowEntry(finished, before(2))?.text).toBe('Automated cleaning finished, 2 steps taken');
  });

  it('tells of the cleaning that a tear down leads to', () => {
    const next = { n: 1, attempt: null, task: { kind: 'work', work: 'clean' } };
    const finished = event('WorkFinished', { work: 'tear down', next, steps: steps(1), history: true });
    expect(flowEntry(finished, before(0))).toMatchObject({
      text: 'Automated cleaning started, 1 step: deploy.s1',
      byUser: false,
    });
  });

  it('tells of nothing else', () => {
    expect(flowEntry(event('WorkStarted', { work: 'clean', steps: steps(1) }), before(0))).toBeNull();
    expect(flowEntry(event('WorkFinished', { work: 'clean' }), before(1))).toBeNull();
  });
});
