/** What is wrong with an answer, by the description of the version in which it was given. */
import { MINOR_MAX, MINOR_MIN } from '@lib/contracts';
import { faultSchemas, type JsonSchema } from '@lib/contracts/openapi';
import { Description, type Described } from './descriptions';

/** A request and its answer, as far as the description speaks of them. */
export interface Exchange {
  readonly method: string;
  /** Path and query as sent, below the public address. */
  readonly path: string;
  readonly status: number;
  /** Of the answer; names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

const JSON_TYPE = 'application/json';
const REQUEST_ID = /^req-[0-9a-f-]{36}$/;
const VERSION = 'x-openstack-ironic-api-version';

/** Empty when it is as described. */
export function answerProblems(exchange: Exchange): string[] {
  const { method, status, text } = exchange;
  // The answer to OPTIONS says nothing, unless the request could not be read.
  if (method === 'OPTIONS' && status < 400)
    return status === 200 && text === '' ? [] : [`OPTIONS answered ${status} with ${brief(text)}`];
  const body = status >= 400 ? failureProblems(exchange) : successProblems(exchange);
  return [...idProblems(exchange), ...body].map((problem) => `${method} ${exchange.path} (${status}): ${problem}`);
}

function idProblems({ headers }: Exchange): string[] {
  const [id, other] = [headers['x-openstack-request-id'], headers['openstack-request-id']];
  if (id === undefined || !REQUEST_ID.test(id)) return [`the request id is ${String(id)}`];
  return id === other ? [] : [`two request ids: ${id} and ${String(other)}`];
}

const brief = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}...` : text);

/** The `.json` of old clients and the slash at the end belong to no path, and `/v1` may be missing. */
function candidates(path: string): string[] {
  const [whole = ''] = path.split('?');
  const plain = whole.replace(/\/$/, '') || '/';
  const below = [plain, plain.replace(/\.json$/, '')];
  return [...new Set([...below, ...below.map((one) => `/v1${one}`)])];
}

interface Candidate extends Described {
  readonly description: Description;
}

/** Each operation that the request may have meant. */
function describedAt(minor: number, { method, path }: Exchange): Candidate[] {
  const description = Description.at(minor);
  return candidates(path).flatMap((candidate) => {
    // The root document is the answer to any method (contract: errors-and-negotiation.md §2).
    const found = description.find(candidate === '/' && method !== 'HEAD' ? 'GET' : method, candidate);
    return found ? [{ description, ...found }] : [];
  });
}

function minorOf({ headers }: Exchange): number {
  const told = /^1\.(\d+)$/.exec(headers[VERSION] ?? '')?.[1];
  return told === undefined ? MINOR_MAX : Math.min(Math.max(Number(told), MINOR_MIN), MINOR_MAX);
}

function successProblems(exchange: Exchange): string[] {
  const found = describedAt(minorOf(exchange), exchange).map((one) => operationProblems(one, exchange));
  if (found.length === 0) return ['no such operation is described'];
  return found.find((problems) => problems.length === 0) ?? found[0] ?? [];
}

function operationProblems({ description, path, operation }: Candidate, exchange: Exchange): string[] {
  const { method, status, headers, text } = exchange;
  const response = (operation['responses'] as Record<string, JsonSchema>)[String(status)];
  if (response === undefined) return ['no such status is described'];
  const missing = missingHeaders(response, exchange);
  if (missing.length > 0) return missing;
  const content = response['content'];
  if (content === undefined || method === 'HEAD')
    return text === '' ? [] : [`a body where none is described: ${brief(text)}`];
  if (headers['content-type'] !== JSON_TYPE) return [`the type of the body is ${String(headers['content-type'])}`];
  return violations(description.validator(...bodyOf(path, path === '/' ? 'GET' : method, status)), text);
}

const bodyOf = (path: string, method: string, status: number): string[] => [
  ...['paths', path, method.toLowerCase(), 'responses', String(status), 'content', JSON_TYPE, 'schema'],
];

/** All that are described for a success are there, whether or not a client may count on them. */
function missingHeaders(response: JsonSchema, { headers }: Exchange): string[] {
  const named = Object.keys((response['headers'] ?? {}) as object);
  return named
    .filter((name) => headers[name.toLowerCase()] === undefined)
    .map((name) => `the header ${name} is missing`);
}

function failureProblems(exchange: Exchange): string[] {
  const { method, status, headers, text } = exchange;
  if (method === 'HEAD') return text === '' ? [] : ['a body in an answer to HEAD'];
  if (headers['content-type'] !== JSON_TYPE) return [`the type of the body is ${String(headers['content-type'])}`];
  const [own] = describedAt(minorOf(exchange), exchange);
  const said = (own?.operation['responses'] as Readonly<Record<string, JsonSchema>> | undefined)?.[String(status)];
  // One that is referred to is a fault.
  if (own !== undefined && said?.['content'] !== undefined)
    return violations(own.description.validator(...bodyOf(own.path, method, status)), text);
  return faultProblems(Description.at(MINOR_MAX), status, text);
}

type Validator = ReturnType<Description['validator']>;

function violations(validate: Validator, text: string): string[] {
  const value = parsed(text);
  if (value === undefined) return [`the body is no JSON: ${brief(text)}`];
  if (validate(value)) return [];
  const [first] = validate.errors ?? [];
  return [
    `the body${first?.instancePath ?? ''} ${first?.message ?? 'is wrong'} ${JSON.stringify(first?.params)}: ${brief(text)}`,
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Its shape, and that what is JSON inside of it has its shape as well. */
function faultProblems(description: Description, status: number, text: string): string[] {
  const outer = violations(description.validator('components', 'schemas', 'Fault'), text);
  if (outer.length > 0) return outer;
  const { error_message: inside } = parsed(text) as { readonly error_message?: string };
  // The two bare shapes: limits on bodies, and the answer to a client that takes no JSON.
  if (inside === undefined) return status === 413 || status === 400 ? [] : ['a bare fault'];
  if (status === 406 && !inside.startsWith('{')) return [];
  const wrong = violations(description.compiled(innerFault), inside);
  if (wrong.length > 0) return wrong;
  const { code, faultcode } = JSON.parse(inside) as { readonly code?: number; readonly faultcode?: string };
  if (code !== undefined && code !== status) return [`the fault says ${code}`];
  const side = status < 500 ? 'Client' : 'Server';
  return faultcode === undefined || faultcode === side ? [] : [`the fault is said to be of the ${faultcode}`];
}

const innerFault = contentSchema(faultSchemas['Fault']);

function contentSchema(fault: JsonSchema | undefined): JsonSchema {
  const [wrapped] = (fault?.['anyOf'] ?? []) as { readonly properties?: Record<string, JsonSchema> }[];
  return (wrapped?.properties?.['error_message']?.['contentSchema'] ?? {}) as JsonSchema;
}
