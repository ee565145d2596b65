import { invalid } from '@lib/domain/introspection';

/** The Bare Metal API's own limit of nesting (contract: errors-and-negotiation.md §7). */
const DEPTH_MAX = 25;
/** Ramdisks send megabytes of logs; the inspector's own service had no limit, ours is that of the message bus. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024;

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (inText) {
      if (char === '\\') i += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
};

/** The body as JSON, whatever its Content-Type says; undefined when empty. @throws InspectorRefusal INVALID */
export const jsonBody = (raw: unknown): unknown => {
  if (!Buffer.isBuffer(raw) || raw.length === 0) return undefined;
  const text = raw.toString('utf8');
  if (isTooDeep(text)) throw invalid(`The body is nested deeper than ${DEPTH_MAX} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('The body is not valid JSON');
  }
};

/** @throws InspectorRefusal INVALID: the body is missing */
export const requiredJsonBody = (raw: unknown): unknown => {
  const body = jsonBody(raw);
  if (body === undefined) throw invalid('A JSON body is required');
  return body;
};

const yes = ['true', '1', 't', 'yes', 'y', 'on'];
const no = ['false', '0', 'f', 'no', 'n', 'off'];

/** Booleans as OpenStack spells them in queries. @throws InspectorRefusal INVALID */
export const queryBoolean = (name: string, value: string | undefined, otherwise: boolean): boolean => {
  const word = value?.trim().toLowerCase();
  if (word === undefined) return otherwise;
  if (yes.includes(word)) return true;
  if (no.includes(word)) return false;
  throw invalid(`${name} must be a boolean, not "${value}"`);
};
