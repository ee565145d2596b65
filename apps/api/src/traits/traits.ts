/** Traits of nodes and of runbooks. contract: node-api.md §15; other-resources.md §12 */
import type { TraitsChange } from '@lib/domain';
import { badRequest } from '../faults';
import { empty, namedArguments, objectBody, ok, type Answer, type Call } from '../http';
import { findNode } from '../nodes';
import { findResource } from '../plain';
import type { Document } from '../render';
import { runbooks } from '../resources';
import type { Handlers } from '../router';

/** What has traits. */
interface Bearer {
  readonly of: 'node' | 'runbook';
  readonly path: string;
  readonly find: (call: Call) => Promise<{ readonly uuid: string; readonly document: Document }>;
  /** Whether taking an absent trait away is an error. */
  readonly missingIsError: boolean;
}

const bearers: readonly Bearer[] = [
  { of: 'node', path: 'nodes/{ident}/traits', find: (call) => findNode(call), missingIsError: true },
  {
    of: 'runbook',
    path: 'runbooks/{ident}/traits',
    find: (call) => findResource(runbooks, call),
    missingIsError: false,
  },
];

async function show({ find }: Bearer, call: Call): Promise<Answer> {
  call.query.only([]);
  const { document } = await find(call);
  return ok({ traits: [...((document['traits'] ?? []) as readonly string[])].sort() });
}

async function change({ of, find }: Bearer, call: Call, wanted: TraitsChange): Promise<void> {
  const { uuid } = await find(call);
  await call.services.commands.send({ type: 'ChangeTraits', of, uuid, change: wanted }, call.requestId);
}

function listed(call: Call): readonly string[] {
  const { traits } = namedArguments(call, ['traits']);
  if (traits === undefined || traits === null) throw badRequest('Missing mandatory parameter: traits');
  if (!Array.isArray(traits) || traits.some((name) => typeof name !== 'string'))
    throw badRequest('Invalid value for traits: a list of names is expected.');
  return traits as readonly string[];
}

async function setAll(bearer: Bearer, call: Call): Promise<Answer> {
  await change(bearer, call, { set: listed(call) });
  return empty(204);
}

async function clear(bearer: Bearer, call: Call): Promise<Answer> {
  call.query.only([]);
  await change(bearer, call, { set: [] });
  return empty(204);
}

const nameOf = (call: Call): string => call.params['trait'] ?? '';

async function add(bearer: Bearer, call: Call): Promise<Answer> {
  call.query.only([]);
  if (Object.keys(objectBody(call)).length > 0)
    throw badRequest('A single trait is added without a body: its name stands in the path.');
  await change(bearer, call, { add: nameOf(call) });
  const path = bearer.path.replace('{ident}', call.params['ident'] ?? '');
  return empty(204, { Location: `${call.publicUrl}/v1/${path}/${nameOf(call)}` });
}

async function takeAway(bearer: Bearer, call: Call): Promise<Answer> {
  call.query.only([]);
  await change(bearer, call, { remove: nameOf(call), mustExist: bearer.missingIsError });
  return empty(204);
}

const handlersOf = (bearer: Bearer): Handlers => ({
  [`GET ${bearer.path}`]: (call) => show(bearer, call),
  [`PUT ${bearer.path}`]: (call) => setAll(bearer, call),
  [`DELETE ${bearer.path}`]: (call) => clear(bearer, call),
  [`PUT ${bearer.path}/{trait}`]: (call) => add(bearer, call),
  [`DELETE ${bearer.path}/{trait}`]: (call) => takeAway(bearer, call),
});

export const traitsHandlers: Handlers = Object.assign({}, ...bearers.map(handlersOf)) as Handlers;
