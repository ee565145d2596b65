import { newToken } from '@lib/adapters/agent-token';
import { since, type RamdiskAnswer } from '@lib/contracts';
import { usableMacs } from '@lib/domain';
import { badRequest, notFound } from '../faults';
import { ok, type Answer, type Call } from '../http';
import { canonicalUuid, isUuidLike, lookupNode, parseDocument, type FoundNode } from '../nodes';
import { checkHost } from '../nodes/checks';
import { ramdiskBody } from './answer';
import { checkEnabled, checkVersion } from './gate';

/** One text for unknown, ambiguous and not expected: nobody is to learn which (API-15). */
const unknown = () => notFound('Resource could not be found.');

/** GET /v1/lookup (contract: other-resources.md §3). */
export async function lookUp(call: Call): Promise<Answer> {
  checkEnabled(call);
  checkVersion(call, '/v1/lookup');
  call.query.only(['addresses', 'node_uuid']);
  const { uuid, document } = await wanted(call);
  await checkHost(call, String(document['driver']), document['conductor_group']);
  const fresh = call.minor >= since.lookupToken ? newToken(call.services.chance) : null;
  const inAnyState = !call.services.settings.api.restrict_lookup;
  const command = { type: 'LookUpNode', uuid, tokenDigest: fresh?.digest ?? null, inAnyState } as const;
  const answer = (await call.services.commands.send(command, call.requestId)) as unknown as RamdiskAnswer;
  return ok(ramdiskBody(answer, fresh?.token ?? null, call));
}

/** The node that was named, whatever addresses came along; else the owner of the addresses. */
async function wanted(call: Call): Promise<FoundNode> {
  const { readModel } = call.services;
  const named = call.query.single('node_uuid');
  if (named !== undefined && !isUuidLike(named)) throw badRequest(`Expected a UUID but received ${named}.`);
  const macs = usableMacs(call.query.list('addresses') ?? []);
  if (named === undefined && macs.length === 0) throw badRequest('A lookup needs a usable MAC address or a node_uuid.');
  if (named !== undefined) {
    const found = await lookupNode(readModel, canonicalUuid(named), false);
    if (!found) throw unknown();
    return found;
  }
  const where = [{ column: 'address', is: 'in', values: macs }] as const;
  const ports = await readModel.list({
    kind: 'port',
    where,
    sort: { column: 'seq', descending: false },
    limit: macs.length,
  });
  const owners = [...new Set((ports ?? []).map(({ json }) => (JSON.parse(json) as { node_uuid: string }).node_uuid))];
  const [stored] = owners.length === 1 ? await readModel.get('node', owners) : [];
  if (!stored) throw unknown();
  return parseDocument(stored);
}
