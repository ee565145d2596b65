import { payloadOf, toldKinds } from '@lib/contracts';
import type { PayloadClassName, PlainKind } from '@lib/contracts';
import { MASK, isSealed, maskSecrets } from '@lib/domain';
import type { Node, Resource } from '@lib/domain';
import { isoTimeOrNull, nodeDocument } from '../project-node';

export type Payload = Readonly<Record<string, unknown>>;

/** Free objects whose names tell what is secret (contract: notifications.md §1). */
const maskedByName: ReadonlySet<string> = new Set(['driver_info', 'instance_info', 'driver_internal_info', 'steps']);

/** What was sealed and has moved to another field stays hidden there. */
function withoutSealed(value: unknown): unknown {
  if (isSealed(value)) return MASK;
  if (Array.isArray(value)) return value.map(withoutSealed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSealed(inner)]));
}

const isStamp = (field: string): boolean => field.endsWith('_at');

function shown(field: string, value: unknown): unknown {
  if (maskedByName.has(field)) return maskSecrets(field, value);
  if (isStamp(field) && typeof value === 'string') return `${value.slice(0, 19)}Z`;
  return withoutSealed(value);
}

const asPayload = (name: PayloadClassName, document: Payload): Payload =>
  Object.fromEntries(Object.entries(payloadOf(name, document)).map(([field, value]) => [field, shown(field, value)]));

export const nodePayload = (name: PayloadClassName, node: Node, errorCharsMax: number, more: Payload = {}): Payload =>
  asPayload(name, { ...nodeDocument(node, errorCharsMax), ...more });

export function resourcePayload(kind: PlainKind, resource: NonNullable<Resource>, more: Payload = {}): Payload {
  const { document, createdAt, updatedAt } = resource;
  const stamps = { created_at: isoTimeOrNull(createdAt), updated_at: isoTimeOrNull(updatedAt) };
  return asPayload(toldKinds[kind].payload, { ...document, ...stamps, ...more });
}
