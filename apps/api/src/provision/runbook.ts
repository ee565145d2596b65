/** The runbook of a provisioning request. contract: node-api.md §10 step 7 */
import { argumentGates, since } from '@lib/contracts';
import { badRequest } from '../faults';
import type { Call, JsonObject } from '../http';
import type { FoundNode } from '../nodes';
import { findResource } from '../plain';
import type { Document } from '../render';
import { runbooks } from '../resources';
import { checkGate } from '../version';

const stepsArguments: Readonly<Record<string, string>> = { clean: 'clean_steps', service: 'service_steps' };

export interface TakenRunbook {
  /** The arguments in force: its UUID, and its own word on the ramdisk. */
  readonly args: JsonObject;
  /** Its steps, secrets sealed. */
  readonly steps: unknown;
}

/** Looks up the runbook that the arguments name, and checks that it fits the node and the verb. */
export async function takeRunbook(
  target: string,
  args: JsonObject,
  node: FoundNode,
  call: Call,
): Promise<TakenRunbook | null> {
  const ident = args['runbook'];
  if (typeof ident !== 'string') return null;
  checkGate(call.minor, argumentGates.runbook);
  const { uuid, document } = await findResource(runbooks, call, ident);
  checkTraits(ident, document, node, call.minor);
  const own = Object.hasOwn(stepsArguments, target) ? stepsArguments[target] : undefined;
  if (own === undefined)
    throw badRequest(`The argument runbook is only valid with the target clean or service, not with ${target}.`);
  if (args[own] !== undefined) throw badRequest(`The arguments runbook and ${own} can not be given together.`);
  const { disable_ramdisk: _replaced, ...rest } = args;
  const without = document['disable_ramdisk'] === true ? { disable_ramdisk: true } : {};
  return { args: { ...rest, runbook: uuid, ...without }, steps: document['steps'] };
}

function checkTraits(ident: string, runbook: Document, { uuid, document }: FoundNode, minor: number): void {
  const traits = listOf(document['traits']);
  if (minor < since.runbookNames) {
    if (traits.includes(runbook['name'])) return;
    throw badRequest(`The name of the runbook ${ident} is no trait of node ${uuid}.`);
  }
  const wanted = listOf(runbook['traits']);
  if (wanted.length === 0) throw badRequest(`The runbook ${ident} has no traits, so that it is for no node.`);
  if (!wanted.some((trait) => traits.includes(trait)))
    throw badRequest(`The runbook ${ident} has no trait in common with node ${uuid}.`);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
