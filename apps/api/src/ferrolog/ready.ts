import { decode, serviceNames, subjects, type Readiness, type ServiceName } from '@lib/contracts';
import { BusError } from '@lib/ports';
import { notFound } from '../faults';
import { json, type Answer, type Services } from '../http';

const ANSWER_MS_MAX = 2_000;

const answer = (missing: readonly string[], troubled: readonly string[] = []): Answer =>
  json(missing.length === 0 ? 200 : 503, {
    ready: missing.length === 0,
    missing,
    ...(troubled.length > 0 ? { troubled } : {}),
  });

/** GET /ferrolog/v1/ready: 200 when requests can be served, else 503 that names what is missing. */
export async function ready(services: Services): Promise<Answer> {
  return answer([
    ...(services.bus.connected() ? [] : ['message bus']),
    ...((await readable(services)) ? [] : ['database']),
  ]);
}

/**
 * GET /ferrolog/v1/ready/{service}: the same for another service, asked over the bus. `troubled` names work of it that fails at
 * the moment while it serves.
 */
export async function readyOf(services: Services, name: string): Promise<Answer> {
  if (!serviceNames.includes(name as ServiceName)) throw notFound(`There is no service ${name}.`);
  if (name === 'api') return ready(services);
  try {
    const { bus, prefix } = services;
    const reply = await bus.request(subjects.ready(prefix, name), new Uint8Array([1]), { timeoutMs: ANSWER_MS_MAX });
    const { missing, troubled } = decode<Readiness>(reply);
    return answer(missing, troubled);
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    return answer([name]);
  }
}

async function readable({ reader, logger }: Services): Promise<boolean> {
  try {
    await reader.head();
    return true;
  } catch (error) {
    logger.warn({ error: String(error) }, 'the event log cannot be read');
    return false;
  }
}
