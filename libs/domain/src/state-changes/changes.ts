import { works } from '../node';
import type { Node, NodeEvent } from '../node';
import { nextState, triggers } from '../states';
import type { ProvisionState, Trigger } from '../states';

/** One step of the machine. `fromTarget`: what `target_provision_state` read before it. */
export interface StateChange {
  readonly trigger: Trigger;
  readonly from: ProvisionState;
  readonly fromTarget: ProvisionState | null;
  readonly to: ProvisionState;
}

/** Ways through the machine that an event may have taken, the likelier first. */
function waysOf(event: NodeEvent): readonly (readonly Trigger[])[] {
  switch (event.type) {
    case 'NodeManaged':
      return [['manage']];
    case 'WorkStarted':
      return works[event.data.work].triggers.map((trigger) => [trigger]);
    case 'WorkWaiting':
      return [['wait'], ['unhold']];
    case 'WorkHeld':
      return [['hold']];
    // After a hold that nobody calls back from, the work goes on at once.
    case 'WorkResumed':
      return [['resume'], ['unhold', 'resume']];
    case 'WorkAborted':
      return [['abort']];
    case 'WorkFinished':
      return [[works[event.data.work].done], ['abort']];
    case 'WorkTimedOut':
    case 'WorkFailed':
    case 'WorkInterrupted':
    case 'InspectionFailed':
    case 'InspectionTimedOut':
      return [['fail']];
    case 'InspectionStarted':
      return [['inspect']];
    case 'InspectionWaiting':
      return [['wait']];
    case 'InspectionResumed':
      return [['resume']];
    case 'InspectionFinished':
      return [['done']];
    case 'InspectionAborted':
      return [['abort']];
    default:
      return [];
  }
}

type Walk = readonly { readonly trigger: Trigger; readonly from: ProvisionState; readonly to: ProvisionState }[];

/** The way from a state on; null where the machine knows no such way. */
function walk(from: ProvisionState, way: readonly Trigger[]): Walk | null {
  const [trigger, ...rest] = way;
  if (trigger === undefined) return [];
  const to = nextState(from, trigger);
  const further = to === undefined ? null : walk(to, rest);
  return to === undefined || further === null ? null : [{ trigger, from, to }, ...further];
}

/**
 * The steps of the machine that an event made; none where the state did not change. Whatever moved a node is found: an event
 * that is not known to, by the first trigger that leads from one state to the other.
 */
export function stateChanges(before: Node, event: NodeEvent, after: Node): readonly StateChange[] {
  const [from, to] = [before.provisionState, after.provisionState];
  if (from === to) return [];
  const ways = [...waysOf(event), ...triggers.map((trigger) => [trigger])];
  const taken = ways.map((way) => walk(from, way)).find((steps) => steps?.at(-1)?.to === to);
  return (taken ?? []).map((step, index) => ({
    ...step,
    fromTarget: index === 0 ? before.targetProvisionState : after.targetProvisionState,
  }));
}
