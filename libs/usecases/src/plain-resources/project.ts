import { columnsOf, plainResources, storedText } from '@lib/contracts';
import type { PlainKind, UniqueKey } from '@lib/contracts';
import type { Resource, ResourceDocument } from '@lib/domain';
import type { Change, StreamId } from '@lib/ports';
import { isoTime, isoTimeOrNull } from '../project-node';

/** The value of a key as the store holds it; null where one of its fields is. */
export function keyValue({ fields }: UniqueKey, document: ResourceDocument | undefined): string | null {
  const values = fields.map((field) => document?.[field] ?? null);
  if (values.includes(null)) return null;
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
}

function keys(kind: PlainKind, owner: StreamId, before: Resource, after: Resource): Change[] {
  return plainResources[kind].unique.flatMap((key): Change[] => {
    const { index } = key;
    const [old, value] = [keyValue(key, before?.document), keyValue(key, after?.document)];
    if (old === value) return [];
    return [
      ...(old === null ? [] : [{ change: 'release', index, value: old, owner } as const]),
      ...(value === null ? [] : [{ change: 'claim', index, value, owner } as const]),
    ];
  });
}

/** What derives from a plain resource's events: its document and its unique keys. */
export function projectResource(
  kind: PlainKind,
  uuid: string,
  before: Resource,
  after: Resource,
  version: number,
): Change[] {
  const changed = keys(kind, `${kind}/${uuid}`, before, after);
  if (!after) return [...changed, { change: 'remove', kind, id: uuid }];
  const document = {
    ...after.document,
    created_at: isoTime(after.createdAt),
    updated_at: isoTimeOrNull(after.updatedAt),
  };
  const json = storedText(plainResources[kind].fields, document);
  return [...changed, { change: 'put', kind, id: uuid, version, json, columns: columnsOf(kind, document) }];
}
