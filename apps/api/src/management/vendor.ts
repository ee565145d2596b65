/** Methods that only a vendor's interface has. contract: node-api.md §22 */
import type { VendorMethod } from '@lib/domain';
import { badRequest } from '../faults';
import { empty, ok, wholeBody, type Answer, type Call } from '../http';
import type { Handlers } from '../router';
import { askMachine, carryOut } from './asking';

async function list(call: Call): Promise<Answer> {
  call.query.only([]);
  const methods = (await askMachine(call, { ask: 'vendor methods' })) as Readonly<Record<string, VendorMethod>>;
  return ok(shownMethods(methods));
}

/** As the contract writes them; none of ours attaches its answer as a file. */
const shownMethods = (methods: Readonly<Record<string, VendorMethod>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(methods).map(([name, { httpMethods, async, description, exclusive }]) => [
      name,
      { http_methods: httpMethods, async, description, attach: false, require_exclusive_lock: exclusive },
    ]),
  );

/** The method that path or query names. */
export function methodOf(call: Call): string {
  call.query.only(call.params['method'] === undefined ? ['method'] : []);
  const method = call.params['method'] ?? call.query.single('method') ?? '';
  if (method === '') throw badRequest('Missing mandatory parameter: method');
  return method;
}

/** 200 with what a synchronous method answers, 202 where it is carried out later. */
async function callMethod(call: Call): Promise<Answer> {
  const method = methodOf(call);
  const args = wholeBody(call) ?? {};
  const answer = await carryOut(call, { act: 'call vendor method', method, httpMethod: call.method, args });
  return answer === undefined ? empty(202) : ok(answer);
}

const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every HTTP method on the path itself and on that of a method. */
export const passthru = (path: string, handler: (call: Call) => Promise<Answer>): Handlers =>
  Object.fromEntries(
    httpMethods.flatMap((method) => [
      [`${method} ${path}/vendor_passthru`, handler],
      [`${method} ${path}/vendor_passthru/{method}`, handler],
    ]),
  );

export const vendorHandlers: Handlers = {
  'GET nodes/{ident}/vendor_passthru/methods': list,
  ...passthru('nodes/{ident}', callMethod),
};
