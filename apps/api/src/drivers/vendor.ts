/** contract: other-resources.md §7; node-api.md §22 */
import { badRequest } from '../faults';
import { ok, wholeBody, type Answer, type Call } from '../http';
import { methodOf, passthru } from '../management';
import type { Handlers } from '../router';
import { findDriver } from './drivers';

/** No hardware type here has methods of its own. */
async function listMethods(call: Call): Promise<Answer> {
  call.query.only([]);
  await findDriver(call);
  return ok({});
}

async function callMethod(call: Call): Promise<Answer> {
  const method = methodOf(call);
  wholeBody(call);
  const { name } = await findDriver(call);
  throw badRequest(`Driver ${name} has no vendor method ${method}.`);
}

export const driverVendorHandlers: Handlers = {
  'GET drivers/{name}/vendor_passthru/methods': listMethods,
  ...passthru('drivers/{name}', callMethod),
};
