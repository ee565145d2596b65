import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  inspectableProvisionStates,
  type IntrospectionEvent,
  introspectionStates,
  introspectionTransitions,
  isIntrospectionState,
  nextIntrospectionState,
} from './states';

interface Facts {
  states: Record<string, unknown>;
  transitions: { from: string; event: string; to: string }[];
  start_refused_in: string[];
  abort_effective_in: string[];
  valid_node_provision_states: string[];
}

const facts = JSON.parse(
  readFileSync(join(__dirname, '../../../../test/contract-data/inspector-states.json'), 'utf8'),
) as Facts;

const rows = introspectionStates.flatMap((from) =>
  Object.entries(introspectionTransitions[from]).map(([event, to]) => ({ from, event, to })),
);
const order = (a: { from: string; event: string }, b: { from: string; event: string }): number =>
  `${a.from} ${a.event}`.localeCompare(`${b.from} ${b.event}`);

describe('the inspector’s state table', () => {
  it('has the states and the 26 transitions of the contract, and no others', () => {
    expect([...introspectionStates].sort()).toEqual(Object.keys(facts.states).sort());
    expect(rows.sort(order)).toEqual([...facts.transitions].sort(order));
    expect(rows).toHaveLength(26);
  });

  it('refuses a start exactly where the contract says', () => {
    const refused = introspectionStates.filter((state) => nextIntrospectionState(state, 'start') === undefined);
    expect([...refused].sort()).toEqual([...facts.start_refused_in].sort());
  });

  it('aborts only while waiting', () => {
    const effective = introspectionStates.filter((state) => nextIntrospectionState(state, 'abort') === 'aborting');
    expect(effective).toEqual(facts.abort_effective_in);
  });

  it('ends in finished or error whatever open state a timeout or error meets', () => {
    const endings = (['timeout', 'error', 'finish', 'abort_end'] satisfies IntrospectionEvent[]).flatMap((event) =>
      introspectionStates.map((state) => nextIntrospectionState(state, event)).filter((state) => state !== undefined),
    );
    expect(new Set(endings)).toEqual(new Set(['finished', 'error']));
  });

  it('works on nodes in the provision states of the contract', () => {
    expect(inspectableProvisionStates).toEqual(facts.valid_node_provision_states);
  });

  it('knows its own names', () => {
    expect([isIntrospectionState('waiting'), isIntrospectionState('inspect wait')]).toEqual([true, false]);
  });
});
