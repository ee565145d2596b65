import { isObject } from '@lib/domain/introspection';
import { tokenOfCaller } from '../caller';
import { KeptCalls } from '../calls';
import { BareMetalApiError } from '@lib/usecases/simulated-inspector';

/** PATCH in `inspect wait` and the inventory need no more than this (contract: inspector-api.md §3.1). */
const API_VERSION = '1.82';
const TIMEOUT_MS = 30_000;

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The reason in a fault body, whichever of its shapes it has (a JSON text inside JSON, or plain). */
export const faultText = (body: unknown): string => {
  const message = isObject(body) ? body['error_message'] : body;
  if (typeof message === 'string') {
    try {
      return faultText({ error_message: JSON.parse(message) as unknown });
    } catch {
      return message;
    }
  }
  const fault = isObject(message) ? (message['faultstring'] ?? message['description'] ?? message['title']) : undefined;
  return typeof fault === 'string' ? fault : JSON.stringify(body ?? null);
};

const parse = (text: string): unknown => {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
};

export const callsTo = (base: string): KeptCalls => new KeptCalls(base, TIMEOUT_MS);

/** One call to the Bare Metal API, with the token of whoever asked for it. @throws BareMetalApiError without a status when there is no answer. */
export const request = async (api: KeptCalls, method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
  const token = tokenOfCaller();
  const headers = {
    'X-OpenStack-Ironic-API-Version': API_VERSION,
    Accept: 'application/json',
    ...(token === null ? {} : { 'X-Auth-Token': token }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, text } = await api.call({ method, path, headers, ...sent });
    return { status, body: parse(text) };
  } catch (error) {
    throw new BareMetalApiError(null, `${method} ${api.address}${path} got no answer: ${(error as Error).message}`);
  }
};
