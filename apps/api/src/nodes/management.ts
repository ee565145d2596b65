/** Boot device and validation: questions to the conductor. contract: node-api.md §13, §14 */
import { argumentGates, since } from '@lib/contracts';
import { badRequest } from '../faults';
import { booleanOf, empty, mandatoryText, namedArguments, ok, type Answer, type Call } from '../http';
import { checkGate } from '../version';
import { findNode } from './find';
import { isUuidLike } from './idents';

export async function showBootDevice(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  return ok(await call.services.commands.send({ type: 'ReadBootDevice', uuid }, call.requestId));
}

export async function listBootDevices(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  return ok(await call.services.commands.send({ type: 'ListBootDevices', uuid }, call.requestId));
}

export async function setBootDevice(call: Call): Promise<Answer> {
  const given = namedArguments(call, ['boot_device', 'persistent']);
  const device = mandatoryText(given, 'boot_device');
  const persistent = given['persistent'] === undefined ? false : booleanOf(given['persistent'], 'persistent');
  const { uuid } = await findNode(call);
  await call.services.commands.send({ type: 'SetBootDevice', uuid, device, persistent }, call.requestId);
  return empty(204);
}

export async function validateNode(call: Call): Promise<Answer> {
  call.query.only(['node', 'node_uuid']);
  const named = call.query.single('node');
  if (named !== undefined && !isUuidLike(named)) checkGate(call.minor, argumentGates.nodeName);
  const ident = call.params['ident'] ?? named ?? call.query.single('node_uuid');
  if (ident === undefined) throw badRequest('Missing mandatory parameter: node');
  const { uuid } = await findNode(call, ident);
  const result = await call.services.commands.send({ type: 'ValidateNode', uuid }, call.requestId);
  const shown = Object.entries(result).filter(
    ([name]) => name !== 'firmware' || call.minor >= since.firmwareValidation,
  );
  return ok(Object.fromEntries(shown));
}
