/** Reports on states that wait without a deadline. */
import { nextState, provisionStates, waitTimeoutOf } from '@lib/domain';
import { brokenLaws } from '@lib/domain/node-laws';
import { NODE, World, streamOf, waiting } from '../world';

const waitStates = provisionStates.filter((state) => /\bwait\b/.test(state));

it('TMO-14: the table knows all five states that wait', () => expect(waitStates).toHaveLength(5));

it.each(waitStates)(
  'TMO-14: %s ends by a deadline, and a node in it without one breaks a law [1.22]',
  async (state) => {
    const timeout = waitTimeoutOf(state);
    expect(timeout?.defaultS).toBeGreaterThan(0);
    expect(nextState(state, timeout!.trigger)).toMatch(/failed$/);
    const world = new World();
    await world.conductor();
    await waiting(world);
    const { node } = await streamOf(world, NODE);
    await world.stop();
    const lawOfDeadlines = (broken: readonly string[]) => broken.filter((law) => law.startsWith('a state that waits'));
    expect(lawOfDeadlines(brokenLaws({ ...node!, provisionState: state }))).toEqual([]);
    expect(lawOfDeadlines(brokenLaws({ ...node!, provisionState: state, deadlines: [] }))).toHaveLength(1);
  },
);
