import { toldKinds } from '@lib/contracts';
import type { Notification, NotificationStatus, PlainKind } from '@lib/contracts';
import type { Resource, ResourceEvent } from '@lib/domain';
import { isoTimeOrNull } from '../project-node';
import { resourcePayload } from './payload';
import type { Payload } from './payload';

/** Traits of runbooks are not told of (contract: notifications.md §2). */
const isUntold = (kind: PlainKind, event: ResourceEvent): boolean =>
  kind === 'runbook' && 'changed' in event.data && Object.keys(event.data.changed).join() === 'traits';

/** What is told of a request about a plain resource: a start and an end (contract: notifications.md §2). */
export function ofResourceEvent(
  kind: PlainKind,
  before: Resource,
  event: ResourceEvent,
  after: Resource,
): readonly Notification[] {
  const resource = after ?? before;
  if (!resource || isUntold(kind, event)) return [];
  const action = before === null ? 'create' : after === null ? 'delete' : 'update';
  const started = before === null ? { created_at: null } : { updated_at: isoTimeOrNull(before.updatedAt) };
  const tell = (status: NotificationStatus, more: Payload): Notification => ({
    object: toldKinds[kind].object,
    action,
    status,
    level: 'info',
    service: 'ironic-api',
    payload: toldKinds[kind].payload,
    data: resourcePayload(kind, resource, more),
  });
  return [tell('start', started), tell('end', {})];
}
