/**
 * The two ways in which endpoints take a body.
 * contract: errors-and-negotiation.md §3; node-api.md §10
 */
import { badRequest } from '../faults';
import { isJson } from './body-limits';
import type { Call } from './call';
import { parseJson } from './json-text';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The whole body as JSON, whatever its Content-Type; undefined when there is none. */
export function wholeBody(call: Call): unknown {
  if (isBlank(call.body)) return undefined;
  const parsed = parseJson(call.body);
  if ('problem' in parsed) throw badRequest(`The request body ${parsed.problem}.`);
  return parsed.value;
}

/** A body that must be an object; none counts as an empty one. */
export function objectBody(call: Call): JsonObject {
  const value = wholeBody(call);
  if (value === undefined) return {};
  if (!isObject(value)) throw badRequest('Schema error: the request body must be a JSON object.');
  return value;
}

/**
 * Named arguments of a JSON object, a form or the query. What is no JSON object counts as empty: the refusal is then
 * that of a missing argument. Unknown names are refused.
 */
export function namedArguments(call: Call, names: readonly string[]): JsonObject {
  call.query.only(names);
  const fromQuery = Object.fromEntries(call.query.names().map((name) => [name, call.query.single(name)]));
  const given: JsonObject = { ...fromQuery, ...bodyArguments(call) };
  const unexpected = Object.keys(given).filter((name) => !names.includes(name));
  if (unexpected.length > 0) throw badRequest(`Unexpected arguments: ${unexpected.join(', ')}`);
  return given;
}

function bodyArguments(call: Call): JsonObject {
  if (/x-www-form-urlencoded/i.test(call.contentType ?? ''))
    return Object.fromEntries(new URLSearchParams(textOf(call.body)));
  if (!isJson(call.contentType)) return {};
  const parsed = parseJson(call.body);
  return 'value' in parsed && isObject(parsed.value) ? parsed.value : {};
}

/** A mandatory text among named arguments. */
export function mandatoryText(given: JsonObject, name: string): string {
  const value = given[name];
  if (value === undefined || value === null) throw badRequest(`Missing mandatory parameter: ${name}`);
  if (typeof value !== 'string') throw badRequest(`Invalid value for ${name}: a string is expected.`);
  return value;
}

const isBlank = (body: Uint8Array): boolean => body.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));

const textOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
