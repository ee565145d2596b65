import { maskEventData } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';

/** An event as the API shows it (GET /ferrolog/v1/nodes/{ident}/events), without secrets. */
export interface ShownEvent {
  readonly position: number;
  /** Order in the node's stream, from 1. */
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: ShownMeta;
  /** ISO 8601, UTC, microseconds. */
  readonly recorded_at: string;
}

export interface ShownMeta {
  readonly commandId?: string;
  readonly requestId?: string | null;
  readonly actor?: string | null;
  readonly source?: string;
  readonly causation?: string | null;
}

/** An event of the log, its secrets masked as the API does it. */
export function shownEvent(event: RecordedEvent): ShownEvent {
  const { position, version, type, schema } = event;
  const data = maskEventData(JSON.parse(event.data)) as ShownEvent['data'];
  const recorded_at = new Date(event.recordedAt).toISOString().replace('Z', '000+00:00');
  return { position, version, type, schema, data, meta: JSON.parse(event.meta) as ShownMeta, recorded_at };
}

export const recordedAt = (event: ShownEvent): number => Date.parse(event.recorded_at);
