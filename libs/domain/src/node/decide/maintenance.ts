import type { Context, NodeCommand } from '../commands';
import type { NodeEvent } from '../events';
import type { NodeStream } from '../state';
import { existing } from './guards';

/** Never waits, ends nothing; it holds the deadline (contract: node-api.md §8, RULE). */
export function decideMaintenance(
  command: Extract<NodeCommand, { type: 'SetMaintenance' | 'ClearMaintenance' }>,
  stream: NodeStream,
  { now }: Context,
): readonly NodeEvent[] {
  existing(stream);
  return command.type === 'SetMaintenance'
    ? [{ type: 'MaintenanceSet', data: { at: now, reason: command.reason } }]
    : [{ type: 'MaintenanceCleared', data: { at: now } }];
}
