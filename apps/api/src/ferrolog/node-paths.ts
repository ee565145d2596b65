/** What this server answers below /ferrolog/v1/nodes/{ident}, by method. */
import { methodNotAllowed } from '../faults';
import { accepted, type Answer, type Call } from '../http';
import { statesLocation } from '../nodes';
import type { Found } from '../router';
import { changeDeadline, showDeadline } from './deadline';
import { listEvents } from './events';
import { reprocessData } from './reprocess';
import { listRefused, promoteRefused, showRefused } from './refused';

type Handler = (call: Call) => Promise<Answer>;

const OWN_NODE = 'ferrolog/v1/nodes/{ident}';

/** Path below the node -> method -> handler; HEAD is served as GET. */
const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  events: { GET: listEvents },
  deadline: { GET: showDeadline, PUT: changeDeadline, PATCH: changeDeadline },
  'inventory/reprocess': { POST: reprocessData },
  refused: { GET: listRefused },
  'refused/{id}': { GET: showRefused },
  'refused/{id}/promote': { POST: promoteRefused },
};

/** Of what changes something: the answer where that is done already, and what it was answered with is lost. */
const repeated: Readonly<Record<string, NonNullable<Found['again']>>> = {
  // By its uuid: what the client called it may be the name of another one meanwhile.
  deadline: (call, ident) => showDeadline({ ...call, params: { ...call.params, ident } }),
  'inventory/reprocess': async (call) => accepted(statesLocation(call)),
  'refused/{id}/promote': async (call) => accepted(statesLocation(call)),
};

/** The path as it is served, and its parameters as they were written; undefined: it is none of these. */
export function ownNodePath(
  path: string,
): { readonly pattern: string; readonly params: Record<string, string> } | undefined {
  const segments = /^\/ferrolog\/v1\/nodes\/(.+?)\/?$/.exec(path)?.[1]?.split('/') ?? [];
  const [ident = '', ...below] = segments;
  if (ident === '') return undefined;
  for (const pattern of Object.keys(handlers)) {
    const words = pattern.split('/');
    const fits = words.length === below.length && words.every((word, at) => word === '{id}' || word === below[at]);
    const id = below[words.indexOf('{id}')];
    if (fits) return { pattern, params: { ident, ...(id === undefined ? {} : { id }) } };
  }
  return undefined;
}

/** @throws ApiFault 405 that tells what is allowed */
export function ownNodeRoute(pattern: string, method: string, params: Found['params']): Found {
  const byMethod = handlers[pattern] ?? {};
  const handler = byMethod[method === 'HEAD' ? 'GET' : method];
  if (!handler) throw methodNotAllowed(Object.keys(byMethod));
  const again = repeated[pattern];
  return { pattern: `${OWN_NODE}/${pattern}`, params, handler, ...(again ? { again } : {}) };
}
