import { isHeld, type Node, type NodeStream } from '@lib/domain';

/** A node's state under the API's names: plain values, nested objects, times as ISO texts. Null: there is no node. */
export type View = Readonly<Record<string, unknown>> | null;

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** What a fold holds, as the API would name it; deadlines, effects and counters have no name there. */
export function viewOf({ node, counters }: NodeStream): View {
  if (node === null) return null;
  const { fields } = node;
  return {
    uuid: node.uuid,
    ...fields,
    provision_state: node.provisionState,
    target_provision_state: node.targetProvisionState,
    provision_updated_at: time(node.provisionUpdatedAt),
    power_state: node.powerState,
    target_power_state: node.targetPowerState,
    last_error: node.lastError,
    reservation: node.reservation?.host ?? null,
    boot_device: node.bootDevice,
    inspection_started_at: time(node.inspectionStartedAt),
    inspection_finished_at: time(node.inspectionFinishedAt),
    driver_internal_info: node.driverInternalInfo,
    attempt: node.inspection ? node.inspection.attempt : null,
    intent: node.intent?.kind ?? null,
    deadlines: Object.fromEntries(node.deadlines.map((one) => [one.n, deadlineWords(node, one)])),
    effects: Object.fromEntries(node.effects.map(({ n, task }) => [n, task.kind])),
    inventory: node.inventory?.inventory ?? null,
    counters,
    created_at: time(node.createdAt),
    updated_at: time(node.updatedAt),
  };
}

const deadlineWords = (node: Node, deadline: Node['deadlines'][number]): string =>
  `${deadline.purpose}, due ${new Date(deadline.due).toISOString()}${isHeld(node, deadline) ? ', held' : ''}`;
