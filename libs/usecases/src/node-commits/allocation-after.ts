import type { Node, NodeEvent } from '@lib/domain';
import type { EventReader } from '@lib/ports';
import { loadResource, resourceWrite } from '../plain-resources';
import type { ResourceWrite } from '../plain-resources';

/**
 * An allocation goes with the instance of its node, whatever ends that: a patch, a tear-down, its own deletion. A node that
 * is deleted leaves it without a node (contract: node-api.md §6, 12; §7).
 */
export async function allocationAfter(
  before: Node | null,
  after: Node | null,
  events: readonly NodeEvent[],
  reader: Pick<EventReader, 'readStream'>,
): Promise<readonly ResourceWrite[]> {
  const uuid = before?.allocation?.uuid;
  const at = events.at(-1)?.data.at;
  if (uuid === undefined || at === undefined || after?.allocation?.uuid === uuid) return [];
  const loaded = await loadResource('allocation', uuid, reader);
  if (!loaded.resource) return [];
  if (after) return [resourceWrite('allocation', uuid, loaded, { type: 'Remove' }, at)];
  const document = { ...loaded.resource.document, node_uuid: null };
  return [resourceWrite('allocation', uuid, loaded, { type: 'Change', document }, at)];
}
