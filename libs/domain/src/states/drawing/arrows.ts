import {
  type ProvisionState,
  type Trigger,
  acceptedTargets,
  transitionRows,
  unstable,
  verbToTrigger,
  waitTimeoutOf,
} from '../index';

/** All triggers that lead from one state to another: one arrow with one label. */
export interface Arrow {
  readonly from: ProvisionState;
  readonly to: ProvisionState;
  readonly triggers: readonly Trigger[];
}

export function arrows(): readonly Arrow[] {
  const byEnds = new Map<string, Arrow>();
  for (const { from, trigger, to } of transitionRows()) {
    const key = `${from}>${to}`;
    byEnds.set(key, { from, to, triggers: [...(byEnds.get(key)?.triggers ?? []), trigger] });
  }
  return [...byEnds.values()];
}

const verbs: ReadonlySet<string> = new Set(acceptedTargets.map(verbToTrigger));

/**
 * Whether a client asks for this step. While a node is being worked on nobody can: `clean` out of `deleting` and
 * `manage` out of `cleaning` carry the names of verbs, but the conductor raises them.
 */
export function isAskedFor(from: ProvisionState, trigger: Trigger): boolean {
  return verbs.has(trigger) && !isWorking(from);
}

/** Unstable, and not waiting for a call: the conductor acts. */
export function isWorking(state: ProvisionState): boolean {
  return unstable.has(state) && waitTimeoutOf(state) === undefined;
}
