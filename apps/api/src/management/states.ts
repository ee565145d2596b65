/** Boot mode, secure boot, RAID and console of a node. contract: node-api.md §12 */
import { bootModes } from '@lib/domain';
import { badRequest } from '../faults';
import { accepted, booleanOf, empty, isObject, namedArguments, ok, wholeBody, type Answer, type Call } from '../http';
import { findNode, statesLocation } from '../nodes';
import type { Handlers } from '../router';
import { askMachine, carryOut, mandatoryWord } from './asking';

async function setBootMode(call: Call): Promise<Answer> {
  const mode = mandatoryWord(namedArguments(call, ['target']), 'target', bootModes);
  await carryOut(call, { act: 'set boot mode', mode });
  return accepted(statesLocation(call));
}

/** A flag that must be there. */
function flagOf(call: Call, name: string): boolean {
  const value = namedArguments(call, [name])[name];
  if (value === undefined || value === null) throw badRequest(`Missing mandatory parameter: ${name}`);
  return booleanOf(value, name);
}

async function setSecureBoot(call: Call): Promise<Answer> {
  await carryOut(call, { act: 'set secure boot', enabled: flagOf(call, 'target') });
  return accepted(statesLocation(call));
}

async function setTargetRaid(call: Call): Promise<Answer> {
  call.query.only([]);
  const config = wholeBody(call);
  if (config === undefined) throw badRequest('Missing mandatory parameter: target_raid_config');
  if (!isObject(config)) throw badRequest('Schema error for target_raid_config: an object is expected.');
  const { uuid } = await findNode(call);
  await call.services.commands.send({ type: 'SetTargetRaid', uuid, config }, call.requestId);
  return empty(204);
}

async function showConsole(call: Call): Promise<Answer> {
  call.query.only([]);
  const { document } = await findNode(call);
  const enabled = document['console_enabled'] === true;
  return ok({ console_enabled: enabled, console_info: enabled ? await askMachine(call, { ask: 'console' }) : null });
}

async function setConsole(call: Call): Promise<Answer> {
  await carryOut(call, { act: 'set console', enabled: flagOf(call, 'enabled') });
  return accepted(`${statesLocation(call)}/console`);
}

export const statesHandlers: Handlers = {
  'PUT nodes/{ident}/states/boot_mode': setBootMode,
  'PUT nodes/{ident}/states/secure_boot': setSecureBoot,
  'PUT nodes/{ident}/states/raid': setTargetRaid,
  'GET nodes/{ident}/states/console': showConsole,
  'PUT nodes/{ident}/states/console': setConsole,
};
