import { json, type Answer, type Services } from '../http';

/** GET /ferrolog/v1/ready: 200 when requests can be served, else 503 that names what is missing. */
export async function ready(services: Services): Promise<Answer> {
  const missing = [
    ...(services.bus.connected() ? [] : ['message bus']),
    ...((await readable(services)) ? [] : ['database']),
  ];
  return json(missing.length === 0 ? 200 : 503, { ready: missing.length === 0, missing });
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
