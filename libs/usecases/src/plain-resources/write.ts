import { plainResources } from '@lib/contracts';
import type { PlainKind } from '@lib/contracts';
import { decideResource, evolveResource } from '@lib/domain';
import type { Resource, ResourceCommand } from '@lib/domain';
import type { Change, StoredDocument, StreamWrite } from '@lib/ports';
import { newEvent } from '../new-event';
import { resourceStreamId } from './load';
import type { LoadedResource } from './load';
import { projectResource } from './project';

/** What one decision on a resource appends. */
export interface ResourceWrite {
  readonly write: StreamWrite;
  readonly changes: readonly Change[];
}

/** What a command writes to a resource's stream, and what derives from it. */
export function resourceWrite(
  kind: PlainKind,
  uuid: string,
  { version, resource }: LoadedResource,
  command: ResourceCommand,
  at: number,
): ResourceWrite {
  const events = decideResource(plainResources[kind], command, resource, at);
  const after = events.reduce<Resource>(evolveResource, resource);
  return {
    write: {
      stream: resourceStreamId(kind, uuid),
      expected: version,
      events: events.map(newEvent),
      removes: after === null,
    },
    changes: projectResource(kind, uuid, resource, after, version + events.length),
  };
}

/** The removal of a resource together with its node, from its stored document. */
export function removalWrite(kind: PlainKind, stored: StoredDocument, at: number): ResourceWrite {
  const document = JSON.parse(stored.json) as Record<string, unknown>;
  const resource = { document, createdAt: at, updatedAt: null };
  return resourceWrite(kind, stored.id, { version: stored.version, resource }, { type: 'Remove' }, at);
}
