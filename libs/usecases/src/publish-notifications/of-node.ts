import type { NodeAction, Notification, NotificationStatus, PayloadClassName } from '@lib/contracts';
import { changeStatus, stateChanges } from '@lib/domain';
import type { Effect, Node, NodeEvent, PowerTarget } from '@lib/domain';
import { isoTimeOrNull } from '../project-node';
import { nodePayload } from './payload';
import type { Payload } from './payload';

export interface NodeStep {
  readonly before: Node | null;
  readonly event: NodeEvent;
  readonly after: Node | null;
  /** A client asked for it: nothing else caused it. */
  readonly isAsked: boolean;
}

/** What the reference calls a request of a client is told by its api, the rest by its conductor. */
const services: Readonly<Record<NodeAction, Notification['service']>> = {
  create: 'ironic-api',
  update: 'ironic-api',
  delete: 'ironic-api',
  maintenance_set: 'ironic-api',
  console_set: 'ironic-conductor',
  power_set: 'ironic-conductor',
  power_state_corrected: 'ironic-conductor',
  provision_set: 'ironic-conductor',
};

const payloads: Readonly<Record<NodeAction, PayloadClassName>> = {
  create: 'NodeCRUDPayload',
  update: 'NodeCRUDPayload',
  delete: 'NodeCRUDPayload',
  maintenance_set: 'NodePayload',
  console_set: 'NodePayload',
  power_set: 'NodeSetPowerStatePayload',
  power_state_corrected: 'NodeCorrectedPowerStatePayload',
  provision_set: 'NodeSetProvisionStatePayload',
};

/** All that is told of one event on a node, in the order in which it goes out (contract: notifications.md §2, §3). */
export function ofNodeEvent(step: NodeStep, errorCharsMax: number): readonly Notification[] {
  const tell = (action: NodeAction, status: NotificationStatus, node: Node, more: Payload = {}): Notification => ({
    object: 'node',
    action,
    status,
    level: status === 'error' ? 'error' : 'info',
    service: services[action],
    payload: payloads[action],
    data: nodePayload(payloads[action], node, errorCharsMax, more),
  });
  const both = (action: NodeAction, atStart: Node, atEnd: Node, started: Payload): readonly Notification[] => [
    tell(action, 'start', atStart, started),
    tell(action, 'end', atEnd),
  ];
  const { before, event, after } = step;
  if (!before) return after ? both('create', after, after, { created_at: null }) : [];
  if (!after) return both('delete', before, before, {});
  return [
    ...ofRequest(step, before, after, both),
    ...corrected(event, before, after, tell),
    ...ofPowerEnd(event, before, after, tell),
    ...ofConsole(event, before, after, tell),
    ...provisioned(event, before, after, tell),
    ...ofPowerStart(before, after, tell),
  ];
}

type Tell = (action: NodeAction, status: NotificationStatus, node: Node, more?: Payload) => Notification;
type Both = (action: NodeAction, atStart: Node, atEnd: Node, started: Payload) => readonly Notification[];

/** At the start the new values are shown already, and the time of the change is not. */
function ofRequest({ event, isAsked }: NodeStep, before: Node, after: Node, both: Both): readonly Notification[] {
  if (!isAsked) return [];
  const started = { updated_at: isoTimeOrNull(before.updatedAt) };
  if (event.type === 'NodeUpdated' || event.type === 'NodeTraitsChanged') return both('update', after, after, started);
  const isMaintenance = event.type === 'MaintenanceSet' || event.type === 'MaintenanceCleared';
  return isMaintenance ? both('maintenance_set', after, after, started) : [];
}

/** Each step of the machine with the values before it (contract: notifications.md §3). */
const provisioned = (event: NodeEvent, before: Node, after: Node, tell: Tell): readonly Notification[] =>
  stateChanges(before, event, after).map((change) =>
    tell('provision_set', changeStatus(change), after, {
      provision_state: change.to,
      event: change.trigger,
      previous_provision_state: change.from,
      previous_target_provision_state: change.fromTarget,
    }),
  );

/** Somebody looked at the power, and it was another than the one recorded. */
function corrected(event: NodeEvent, before: Node, after: Node, tell: Tell): readonly Notification[] {
  const verified = event.type === 'WorkFinished' && event.data.work === 'verify';
  const looked = verified || event.type === 'PowerStateSeen' || event.type === 'PowerControlRegained';
  if (!looked || after.powerState === before.powerState || after.powerState === null) return [];
  return [tell('power_state_corrected', 'success', after, { from_power: before.powerState })];
}

const powerTargetOf = ({ task }: Effect): PowerTarget | null => (task.kind === 'power' ? task.target : null);

/** Power effects that this event asks for. */
const ofPowerStart = (before: Node, after: Node, tell: Tell): readonly Notification[] =>
  after.effects.flatMap((effect) => {
    const target = powerTargetOf(effect);
    if (target === null || before.effects.some(({ n }) => n === effect.n)) return [];
    return [tell('power_set', 'start', after, { to_power: target, target_power_state: before.targetPowerState })];
  });

/** Every power effect that is closed by this event; what ended in any other way than with the power changed is an error. */
const ofPowerEnd = (event: NodeEvent, before: Node, after: Node, tell: Tell): readonly Notification[] =>
  before.effects.flatMap((effect) => {
    const target = powerTargetOf(effect);
    if (target === null || after.effects.some(({ n }) => n === effect.n)) return [];
    const isDone = event.type === 'PowerChanged' && event.data.effect === effect.n;
    return [tell('power_set', isDone ? 'end' : 'error', after, { to_power: target })];
  });

const isConsole = (effect: Effect | undefined): boolean =>
  effect?.task.kind === 'manage' && effect.task.act.act === 'set console';

function ofConsole(event: NodeEvent, before: Node, after: Node, tell: Tell): readonly Notification[] {
  if (event.type === 'ManagementRequested') {
    return isConsole(event.data.effect) ? [tell('console_set', 'start', after)] : [];
  }
  if (event.type !== 'ManagementDone' && event.type !== 'ManagementFailed') return [];
  if (!isConsole(before.effects.find(({ n }) => n === event.data.effect))) return [];
  return [tell('console_set', event.type === 'ManagementDone' ? 'end' : 'error', after)];
}
