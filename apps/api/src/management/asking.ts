import type { Act, MachineQuestion } from '@lib/domain';
import { badRequest } from '../faults';
import type { Call, JsonObject } from '../http';
import { findNode } from '../nodes';

/** What only the node's machine can say; rejects with 400 where its interface does not offer it. */
export async function askMachine(call: Call, question: MachineQuestion): Promise<unknown> {
  const { uuid } = await findNode(call);
  const { answer } = await call.services.commands.send({ type: 'AskMachine', uuid, question }, call.requestId);
  return answer;
}

/** Asks the node's machine for something; resolves with what it answers, if anything. */
export async function carryOut(call: Call, act: Act): Promise<unknown> {
  const { uuid } = await findNode(call);
  const { answer } = await call.services.commands.send({ type: 'Manage', uuid, act }, call.requestId);
  return answer;
}

/** A mandatory argument that must be one of a few words. */
export function mandatoryWord<Word extends string>(given: JsonObject, name: string, words: readonly Word[]): Word {
  const value = given[name];
  if (value === undefined || value === null) throw badRequest(`Missing mandatory parameter: ${name}`);
  const found = words.find((word) => word === value);
  if (found === undefined) {
    throw badRequest(`Invalid value for ${name}: ${JSON.stringify(value)} is none of ${words.join(', ')}.`);
  }
  return found;
}
