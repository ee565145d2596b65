import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as states from './index';

interface Facts {
  counts: { states: number; transitions: number; stable: number; events: number };
  states: Record<string, { stable: boolean; default_target: string | null; out: string[] }>;
  transitions: { from: string; event: string; to: string }[];
  events: string[];
  api_target_to_event: Record<string, string>;
  sets: Record<string, string[]>;
  power_states: {
    reported: (string | null)[];
    request_targets: string[];
    final_state_of_request: Record<string, string>;
    soft_min_minor: number;
  };
  allocation_states: string[];
  history_event_types: string[];
  api_targets: { accepted_targets: string[]; aliases: Record<string, string>; min_minor: Record<string, number> };
  timeouts: { state: string; since: string; option: string; default_s: number; event: string }[];
  faults: string[];
  health_values: (string | null)[];
}

// A copy of the contract's facts; the table is typed by hand, so that a slip in either shows here.
const facts = JSON.parse(
  readFileSync(join(__dirname, '../../../../test/contract-data/state-machine.json'), 'utf8'),
) as Facts;
const sorted = (words: Iterable<string>): string[] => [...words].sort();

describe('the provision state machine', () => {
  it('has 30 states, 93 transitions, 18 triggers and 6 stable states', () => {
    expect(states.provisionStates).toHaveLength(30);
    expect(states.transitionRows()).toHaveLength(93);
    expect(states.triggers).toHaveLength(18);
    expect(states.stable.size).toBe(6);
    expect(facts.counts).toEqual({ states: 30, transitions: 93, stable: 6, events: 18 });
  });

  it('knows exactly the contract’s states and triggers', () => {
    expect(sorted(states.provisionStates)).toEqual(sorted(Object.keys(facts.states)));
    expect(sorted(states.triggers)).toEqual(sorted(facts.events));
    expect(facts.events.every(states.isTrigger)).toBe(true);
    expect(['', 'service', 'INSPECTING', 'toString', null, 1].filter(states.isProvisionState)).toEqual([]);
    expect(['', 'toString', 'inspecting', undefined].filter(states.isTrigger)).toEqual([]);
  });

  it('has exactly the contract’s transitions [1.26, 2.4]', () => {
    const ours = states.transitionRows().map(({ from, trigger, to }) => `${from} --${trigger}--> ${to}`);
    const theirs = facts.transitions.map(({ from, event, to }) => `${from} --${event}--> ${to}`);
    expect(sorted(ours)).toEqual(sorted(theirs));
  });

  it.each(facts.transitions)('$from --$event--> $to', ({ from, event, to }) => {
    expect(states.nextState(from as states.ProvisionState, event)).toBe(to);
  });

  it.each(Object.entries(facts.states))('%s: stable, target and ways out', (name, fact) => {
    const state = name as states.ProvisionState;
    expect(states.isProvisionState(state)).toBe(true);
    expect(states.isStable(state)).toBe(fact.stable);
    expect(states.defaultTarget(state)).toBe(fact.default_target);
    expect(sorted(Object.keys(states.transitions[state]))).toEqual(sorted(fact.out));
    const known = states.triggers.filter((trigger) => states.nextState(state, trigger) !== undefined);
    expect(sorted(known)).toEqual(sorted(fact.out));
  });

  it('answers nothing for a word that is no trigger, even one that every object has', () => {
    expect(states.nextState('manageable', 'toString')).toBeUndefined();
    expect(states.nextState('manageable', 'constructor')).toBeUndefined();
    expect(states.nextState('inspecting', 'abort')).toBeUndefined();
  });
});

describe('work', () => {
  it('is what the contract names as states that do not survive their conductor, and is read from the table', () => {
    expect(states.provisionStates.filter(states.isWork).sort()).toEqual([...states.stuckTreatedAsFail].sort());
  });
});

describe('the named sets', () => {
  const pairs: [string, ReadonlySet<string>][] = [
    ['stable', states.stable],
    ['unstable', states.unstable],
    ['delete_allowed', states.deleteAllowed],
    ['stuck_states_treated_as_fail', states.stuckTreatedAsFail],
    ['lookup_allowed', states.lookupAllowed],
    ['lookup_allowed_fast_track', states.lookupAllowedFastTrack],
    ['failure', states.failure],
    ['servicing', states.servicing],
    ['inspection', states.inspection],
    ['all_states_constant', states.allStateNames],
  ];

  it.each(pairs)('%s', (name, ours) => {
    expect(sorted(ours)).toEqual(sorted(facts.sets[name] ?? []));
  });

  it('update_allowed, but for the verb that the contract lists among the states', () => {
    expect(sorted([...states.updateAllowed, 'service'])).toEqual(sorted(facts.sets['update_allowed'] ?? []));
  });

  it('leaves no set of the contract out', () => {
    expect(sorted([...pairs.map(([name]) => name), 'update_allowed'])).toEqual(sorted(Object.keys(facts.sets)));
  });
});

describe('verbs', () => {
  it('accepts the contract’s targets, each with its lowest version', () => {
    expect(sorted(states.acceptedTargets)).toEqual(sorted(facts.api_targets.accepted_targets));
    expect(states.verbMinMinor).toEqual(facts.api_targets.min_minor);
  });

  it.each(Object.entries({ ...facts.api_target_to_event, ...facts.api_targets.aliases }))(
    '%s means %s',
    (target, trigger) => {
      expect(states.verbToTrigger(target)).toBe(trigger);
      expect(states.isTrigger(trigger)).toBe(true);
    },
  );

  it('takes an unknown word as the trigger itself', () => {
    expect(['rebuild', 'wait', 'toString'].map(states.verbToTrigger)).toEqual(['rebuild', 'wait', 'toString']);
  });

  it('asks for newer versions of abort in two waiting states [2.15, 2.22]', () => {
    expect(states.abortMinMinor).toEqual({ 'inspect wait': 41, 'wait call-back': 110 });
    for (const state of Object.keys(states.abortMinMinor)) {
      expect(states.nextState(state as states.ProvisionState, 'abort')).toBeDefined();
    }
  });
});

describe('deadlines, power and words', () => {
  it('has the contract’s five timeouts', () => {
    const ours = states.waitTimeouts.map(({ state, since, option, defaultS, trigger }) => ({
      state,
      since,
      option: `[${option.section}]${option.name}`,
      default_s: defaultS,
      event: trigger,
    }));
    expect(ours).toEqual(facts.timeouts);
    expect(states.waitTimeoutOf('inspect wait')?.option.name).toBe('inspect_wait_timeout');
    expect(states.waitTimeoutOf('inspecting')).toBeUndefined();
  });

  it('every timeout moves its node', () => {
    for (const { state, trigger } of states.waitTimeouts) expect(states.nextState(state, trigger)).toBeDefined();
  });

  it('has the contract’s power words', () => {
    expect(states.reportedPowerStates).toEqual(facts.power_states.reported);
    expect(states.powerTargets).toEqual(facts.power_states.request_targets);
    expect(states.softPowerMinMinor).toBe(facts.power_states.soft_min_minor);
    const finals = Object.fromEntries(states.powerTargets.map((t) => [t, states.finalPowerStateOf(t)]));
    expect(finals).toEqual(facts.power_states.final_state_of_request);
    expect(states.powerTargets.filter(states.isSoftPowerTarget)).toEqual(['soft rebooting', 'soft power off']);
    expect(['power', '', null, 'reboot'].filter(states.isPowerTarget)).toEqual([]);
  });

  it('has the contract’s closed lists', () => {
    expect(states.faults).toEqual(facts.faults);
    expect(states.healthValues).toEqual(facts.health_values);
    expect(states.historyEventTypes).toEqual(facts.history_event_types);
    expect(states.allocationStates).toEqual(facts.allocation_states);
  });
});
