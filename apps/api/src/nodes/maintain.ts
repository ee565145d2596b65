/** DELETE of a node, maintenance, power. contract: node-api.md §7, §8, §11 */
import { isPowerTarget, isSoftPowerTarget } from '@lib/domain';
import { argumentGates } from '@lib/contracts';
import { badRequest } from '../faults';
import { accepted, empty, integerOf, mandatoryText, namedArguments, type Answer, type Call } from '../http';
import { checkGate } from '../version';
import { findNode } from './find';

export async function removeNode(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  await call.services.commands.send({ type: 'RemoveNode', uuid }, call.requestId);
  return empty(204);
}

export async function setMaintenance(call: Call): Promise<Answer> {
  const { reason = null } = namedArguments(call, ['reason']);
  if (reason !== null && typeof reason !== 'string')
    throw badRequest('Invalid value for reason: a string is expected.');
  const { uuid } = await findNode(call);
  await call.services.commands.send({ type: 'SetMaintenance', uuid, reason }, call.requestId);
  return accepted();
}

export async function clearMaintenance(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  await call.services.commands.send({ type: 'ClearMaintenance', uuid }, call.requestId);
  return accepted();
}

export async function changePower(call: Call): Promise<Answer> {
  const given = namedArguments(call, ['target', 'timeout']);
  const target = mandatoryText(given, 'target');
  const timeout =
    given['timeout'] === undefined || given['timeout'] === null ? null : integerOf(given['timeout'], 'timeout');
  const { uuid } = await findNode(call);
  const soft = isPowerTarget(target) && isSoftPowerTarget(target);
  if (soft || (timeout ?? 0) !== 0) checkGate(call.minor, argumentGates.softPower);
  if (timeout !== null && timeout < 1) throw badRequest('Invalid value for timeout: it must be at least 1 second.');
  if (!isPowerTarget(target)) throw badRequest(`The requested power state "${target}" of node ${uuid} is invalid.`);
  await call.services.commands.send({ type: 'ChangePower', uuid, target, timeoutSeconds: timeout }, call.requestId);
  return accepted(statesLocation(call));
}

/** With the ident as the client wrote it. */
export const statesLocation = (call: Call): string => `${call.publicUrl}/v1/nodes/${call.params['ident']}/states`;
