import { newToken } from '@lib/adapters/agent-token';
import Ajv from 'ajv';
import { INSPECTOR_LIKE_MINOR, type RamdiskAnswer } from '@lib/contracts';
import { bmcAddressesIn, macsIn, usableMacs } from '@lib/domain';
import { badRequest } from '../faults';
import { json, wholeBody, type Answer, type Call, type JsonObject } from '../http';
import { canonicalUuid, isUuidLike } from '../nodes';
import { ramdiskBody } from './answer';
import { checkEnabled, checkVersion } from './gate';

const addressOrNull = { type: ['string', 'null'] };

/** The least that is needed; anything stricter would refuse real ramdisks (contract: inspection.md §6.1). */
const validate = new Ajv({ allowUnionTypes: true }).compile({
  type: 'object',
  required: ['inventory'],
  properties: {
    inventory: {
      type: 'object',
      required: ['interfaces'],
      properties: {
        bmc_address: addressOrNull,
        bmc_v6address: addressOrNull,
        interfaces: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['mac_address'], properties: { mac_address: { type: 'string' } } },
        },
      },
    },
  },
});

/** POST /v1/continue_inspection: accepted means stored; processing goes on elsewhere. */
export async function continueInspection(call: Call): Promise<Answer> {
  checkEnabled(call);
  const { inventory, ...pluginData } = bodyOf(call);
  const asked = askedNode(call);
  // As real ramdisks post, without a version header: the answer is an inspector's.
  const inspectorLike = call.minor === INSPECTOR_LIKE_MINOR && asked === null;
  if (!inspectorLike) checkVersion(call, '/v1/continue_inspection');
  checkAddresses(inventory, asked);
  const { services, requestId } = call;
  const fresh = inspectorLike ? null : newToken(services.chance);
  const command = {
    type: 'ContinueInspection',
    uuid: services.chance.uuid(),
    askedNode: asked,
    inventory,
    pluginData,
    tokenDigest: fresh?.digest ?? null,
  } as const;
  const answer = (await services.commands.send(command, requestId)) as unknown as RamdiskAnswer;
  return json(202, fresh ? ramdiskBody(answer, fresh.token, call) : { uuid: answer.uuid });
}

function bodyOf(call: Call): JsonObject & { readonly inventory: JsonObject } {
  const body = wholeBody(call);
  if (!validate(body)) {
    const [error] = validate.errors ?? [];
    throw badRequest(`Schema error for inspection data${error?.instancePath ?? ''}: ${error?.message ?? 'invalid'}.`);
  }
  return body as JsonObject & { readonly inventory: JsonObject };
}

function askedNode(call: Call): string | null {
  call.query.only(['node_uuid']);
  const named = call.query.single('node_uuid');
  if (named === undefined) return null;
  if (!isUuidLike(named)) throw badRequest(`Expected a UUID but received ${named}.`);
  return canonicalUuid(named);
}

function checkAddresses(inventory: JsonObject, asked: string | null): void {
  if (asked !== null || usableMacs(macsIn(inventory)).length > 0 || bmcAddressesIn(inventory).length > 0) return;
  throw badRequest('The data holds neither a usable MAC address nor a BMC address to find its node by.');
}
