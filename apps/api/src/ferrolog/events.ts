/** GET /ferrolog/v1/nodes/{ident}/events: the node as it is kept, event by event. */
import { maskEventData } from '@lib/domain';
import type { RecordedEvent } from '@lib/ports';
import { badRequest, notFound } from '../faults';
import { ok, type Answer, type Call } from '../http';
import { canonicalUuid, isUuidLike, lookupNode } from '../nodes';
import { isoTime } from '../render';

const LIMIT_MAX = 1_000;

/**
 * `after` is a version of the node's stream, `limit` at most 1000. A removed node is still found by its UUID.
 * Answer: {"events": [{position, version, type, schema, data, meta, recorded_at}]}.
 */
export async function listEvents(call: Call): Promise<Answer> {
  call.query.only(['after', 'limit']);
  const after = call.query.integer('after') ?? 0;
  const limit = call.query.integer('limit') ?? LIMIT_MAX;
  if (after < 0 || limit <= 0) throw badRequest('after must not be negative, limit must be positive.');
  const uuid = await streamOwner(call);
  const events = await call.services.reader.readStream(`node/${uuid}`, after, Math.min(limit, LIMIT_MAX));
  return ok({ events: events.map(shown) });
}

async function streamOwner(call: Call): Promise<string> {
  const ident = call.params['ident'] ?? '';
  const found = await lookupNode(call.services.readModel, ident, true);
  if (found) return found.uuid;
  const uuid = isUuidLike(ident) ? canonicalUuid(ident) : undefined;
  if (uuid && (await call.services.reader.readStream(`node/${uuid}`, 0, 1)).length > 0) return uuid;
  throw notFound(`Node ${ident} could not be found.`);
}

function shown(event: RecordedEvent): object {
  const { position, version, type, schema } = event;
  const data = maskEventData(JSON.parse(event.data));
  return {
    position,
    version,
    type,
    schema,
    data,
    meta: JSON.parse(event.meta),
    recorded_at: isoTime(event.recordedAt),
  };
}
