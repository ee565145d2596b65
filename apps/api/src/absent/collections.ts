/**
 * Resources of the contract that this server does not keep: their collections are empty, each single one is unknown.
 * What cannot be created here has no route, and the router answers as for a version too old for it.
 * contract: other-resources.md §2, §9-14; microversions.json endpoints
 */
import { notFound } from '../faults';
import { ok, type Answer, type Call } from '../http';
import { pageArguments } from '../lists';
import type { Handlers } from '../router';

const emptyList =
  (name: string) =>
  (call: Call): Answer => {
    const marker = call.query.single('marker');
    if (marker !== undefined) throw notFound(`${name}: ${marker} could not be found.`);
    return ok({ [name]: [] });
  };

const withArguments =
  (names: readonly string[], handler: (call: Call) => Answer) =>
  (call: Call): Answer => {
    call.query.only([...pageArguments, 'fields', 'detail', ...names]);
    return handler(call);
  };

export const absentHandlers: Handlers = {
  'GET allocations': withArguments(['node', 'resource_class', 'state', 'owner'], emptyList('allocations')),
};
