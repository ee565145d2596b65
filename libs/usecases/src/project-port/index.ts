import { columnsOf } from '@lib/contracts';
import type { PortDocument } from '@lib/domain';
import type { Change } from '@lib/ports';
import { portStreamId } from '../node-streams';
import { isoTime, isoTimeOrNull } from '../project-node';

export interface StoredPort {
  readonly document: PortDocument;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

const keysOf = (port: PortDocument | null): ReadonlyMap<string, string | null> =>
  new Map([
    ['port.address', port?.address ?? null],
    ['port.name', port?.name ?? null],
  ]);

function keys(owner: string, before: PortDocument | null, after: PortDocument | null): Change[] {
  const now = keysOf(after);
  return [...keysOf(before)].flatMap(([index, old]) => {
    const value = now.get(index) ?? null;
    if (old === value) return [];
    return [
      ...(old === null ? [] : [{ change: 'release', index, value: old, owner } as const]),
      ...(value === null ? [] : [{ change: 'claim', index, value, owner } as const]),
    ];
  });
}

/** What derives from a port's events: its document and its unique keys (MAC, name). */
export function projectPort(before: StoredPort | null, after: StoredPort | null, version: number): Change[] {
  const uuid = (after ?? before)?.document.uuid ?? '';
  const changed = keys(portStreamId(uuid), before?.document ?? null, after?.document ?? null);
  if (!after) return [...changed, { change: 'remove', kind: 'port', id: uuid }];
  const document = {
    ...after.document,
    created_at: isoTime(after.createdAt),
    updated_at: isoTimeOrNull(after.updatedAt),
  };
  const json = JSON.stringify(document);
  return [...changed, { change: 'put', kind: 'port', id: uuid, version, json, columns: columnsOf('port', document) }];
}
