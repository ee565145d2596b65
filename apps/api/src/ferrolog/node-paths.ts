/** What this server answers below /ferrolog/v1/nodes/{ident}, by method. */
import { methodNotAllowed } from '../faults';
import type { Answer, Call } from '../http';
import { changeDeadline, showDeadline } from './deadline';
import { listEvents } from './events';
import { listRefused, promoteRefused, showRefused } from './refused';

type Handler = (call: Call) => Promise<Answer>;

/** Path below the node -> method -> handler; HEAD is served as GET. */
const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  events: { GET: listEvents },
  deadline: { GET: showDeadline, PUT: changeDeadline, PATCH: changeDeadline },
  refused: { GET: listRefused },
  'refused/{id}': { GET: showRefused },
  'refused/{id}/promote': { POST: promoteRefused },
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
export function ownNodeHandler(pattern: string, method: string): Handler {
  const byMethod = handlers[pattern] ?? {};
  const handler = byMethod[method === 'HEAD' ? 'GET' : method];
  if (!handler) throw methodNotAllowed(Object.keys(byMethod));
  return handler;
}
