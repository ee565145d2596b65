import type { PlainKind } from '@lib/contracts';
import { evolveResource } from '@lib/domain';
import type { Resource, ResourceEvent } from '@lib/domain';
import type { EventReader, ReadModel, RecordedEvent, StoredDocument, StreamId } from '@lib/ports';

/** A resource as its stream has it; the version is that of its last event. */
export interface LoadedResource {
  readonly version: number;
  readonly resource: Resource;
}

const EVENTS_PAGE = 1000;
const DOCUMENTS_PAGE = 500;

export const resourceStreamId = (kind: PlainKind, uuid: string): StreamId => `${kind}/${uuid}`;

export const resourceEventOf = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): ResourceEvent =>
  ({ type, data: JSON.parse(data) }) as ResourceEvent;

export async function loadResource(
  kind: PlainKind,
  uuid: string,
  reader: Pick<EventReader, 'readStream'>,
): Promise<LoadedResource> {
  let loaded: LoadedResource = { version: 0, resource: null };
  for (;;) {
    const page = await reader.readStream(resourceStreamId(kind, uuid), loaded.version, EVENTS_PAGE);
    for (const event of page) {
      loaded = { version: event.version, resource: evolveResource(loaded.resource, resourceEventOf(event)) };
    }
    if (page.length < EVENTS_PAGE) return loaded;
  }
}

/** All documents of a kind whose column has the value, as the read model has them. */
export async function documentsWith(
  kind: PlainKind,
  column: string,
  value: string,
  readModel: Pick<ReadModel, 'list'>,
): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  for (;;) {
    const page: StoredDocument[] =
      (await readModel.list({
        kind,
        where: [{ column, is: 'equal', value }],
        sort: { column: 'seq', descending: false },
        limit: DOCUMENTS_PAGE,
        after: documents.at(-1)?.id,
      })) ?? [];
    documents.push(...page);
    if (page.length < DOCUMENTS_PAGE) return documents;
  }
}
