import type { IntrospectionStatus } from '@lib/contracts';
import type { JsonObject } from '@lib/domain';
import type { IntrospectionReport, Logger } from '@lib/ports';
import { reasonIn } from './inspector-calls';
import type { InspectorTransport } from './inspector-transport';

export type Status = Pick<IntrospectionStatus, 'finished' | 'error' | 'started_at'> &
  Partial<Pick<IntrospectionStatus, 'state'>>;

/** Times of the inspector are UTC, most without saying so (contract: inspector-api.md §3.2). */
export const utcMs = (text: string): number => Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isStatus = (body: unknown): body is Status =>
  isObject(body) &&
  typeof body['finished'] === 'boolean' &&
  typeof body['started_at'] === 'string' &&
  (body['error'] === null || typeof body['error'] === 'string');

const UNKNOWN: IntrospectionReport = { state: 'unknown' };

/** Never rejects: whatever is not a clear word leaves the node as it is, with its deadline (contract: inspection.md §9.5). */
export async function report(
  node: string,
  transport: InspectorTransport,
  logger: Logger,
  signal: AbortSignal,
): Promise<IntrospectionReport> {
  const unknown = (reason: string): IntrospectionReport => {
    logger.warn({ node, reason }, 'the inspector does not tell how an introspection stands; asked again next time');
    return UNKNOWN;
  };
  try {
    const reply = await transport.ask('status', { node }, signal);
    if (reply.status !== 200) return unknown(reasonIn(reply));
    if (!isStatus(reply.body)) return unknown('its status lacks what the API promises');
    // The name of the inspector's state is not consulted: error, checked first, and finished say all.
    const error = reply.body.error || null;
    if (error === null && !reply.body.finished) return { state: 'running' };
    const startedAt = utcMs(reply.body.started_at);
    if (Number.isNaN(startedAt)) return unknown(`"${reply.body.started_at}" is no time`);
    const data = error === null ? await storedData(node, transport, logger, signal) : null;
    return { state: 'ended', startedAt, error, data };
  } catch (error) {
    return unknown(error instanceof Error ? error.message : String(error));
  }
}

/** Null when the inspector keeps none or does not answer: the inspection is finished all the same (RULE of inspection.md §9.5). */
async function storedData(
  node: string,
  transport: InspectorTransport,
  logger: Logger,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const without = (reason: string): null => {
    logger.warn({ node, reason }, 'a finished introspection has no data to be stored');
    return null;
  };
  try {
    const reply = await transport.ask('data', { node }, signal);
    if (reply.status !== 200) return without(reasonIn(reply));
    return isObject(reply.body) ? reply.body : without('the data is no object');
  } catch (error) {
    return without(error instanceof Error ? error.message : String(error));
  }
}
