import { endpointMin } from '@lib/contracts';
import { badRequest, unknownPath } from '../faults';
import { findNode } from '../nodes';
import { refusal, type Handler, type Handlers } from '../router';
import { createResource, patchResource, removeResource, showResource } from './change';
import { listResources, listResourcesInDetail, wholeCollection } from './list';
import type { PlainApi } from './plain-api';

const malformed = refusal(() => {
  throw badRequest('Malformed request URI.');
});

const missingIdent = refusal(() => {
  throw badRequest('The resource to change must be named in the path.');
});

/** The collection and its members: one shape for every plain resource. `param` is how the path names the member. */
export function plainRoutes(api: PlainApi, param: 'ident' | 'uuid'): Handlers {
  const { path, hasDetailPath } = api.declared;
  const one = `${path}/{${param}}`;
  return {
    [`GET ${path}`]: (call) => listResources(api, call, wholeCollection(api)),
    [`POST ${path}`]: (call) => createResource(api, call),
    [`PATCH ${path}`]: missingIdent,
    [`DELETE ${path}`]: missingIdent,
    ...(hasDetailPath
      ? { [`GET ${path}/detail`]: (call) => listResourcesInDetail(api, call, wholeCollection(api)) }
      : {}),
    [`GET ${one}`]: (call) => showResource(api, call),
    [`PATCH ${one}`]: (call) => patchResource(api, call),
    [`DELETE ${one}`]: (call) => removeResource(api, call),
    [`POST ${one}`]: malformed,
  };
}

/** The same collection below a node: what belongs to it. */
export function nodeRoutes(api: PlainApi): Handlers {
  const { path } = api.declared;
  const under = `nodes/{ident}/${path}`;
  const part = async (call: Parameters<Handler>[0]) => {
    const { uuid } = await findNode(call);
    return {
      path: `nodes/${uuid}/${path}`,
      where: [{ column: 'node_uuid', is: 'equal', value: uuid }],
      filters: [],
    } as const;
  };
  return {
    [`GET ${under}`]: async (call) => listResources(api, call, await part(call)),
    ...(api.declared.hasDetailPath
      ? { [`GET ${under}/detail`]: async (call) => listResourcesInDetail(api, call, await part(call)) }
      : {}),
    ...onlyListed(under),
  };
}

/** Below a node nothing else can be asked for (contract: node-api.md §23), in the versions that know the collection. */
function onlyListed(under: string): Handlers {
  const min = endpointMin('GET', `/v1/${under}`);
  const handler = refusal((call) => {
    if (call.minor < min) throw unknownPath();
    throw badRequest('Malformed request URI.');
  });
  const changing = ['POST', 'PATCH', 'DELETE'];
  return Object.fromEntries([
    ...changing.map((method) => [`${method} ${under}`, handler]),
    ...['GET', ...changing].map((method) => [`${method} ${under}/{item}`, handler]),
  ]) as Handlers;
}
