import { Refusal } from '../refusal';
import { patternProblem } from './pattern';
import { actionOps, conditionOps } from './shapes';
import type { OpShape } from './shapes';

const multiples: readonly unknown[] = ['any', 'all', 'first', 'last'];

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (place: string, text: string): Refusal =>
  new Refusal('INVALID_PARAMETER', `Schema error for ${place}: ${text}.`);

function checkArguments(args: unknown, { required, optional }: OpShape, place: string): void {
  const all = [...required, ...optional];
  if (Array.isArray(args)) {
    if (args.length < required.length || args.length > all.length)
      throw wrong(`${place}/args`, `takes ${required.length} to ${all.length} positional arguments: ${all.join(', ')}`);
    return;
  }
  if (!isObject(args)) throw wrong(`${place}/args`, 'an object is needed');
  const missing = required.find((name) => !Object.hasOwn(args, name));
  if (missing !== undefined) throw wrong(`${place}/args`, `${missing} is missing`);
  const foreign = Object.keys(args).find((name) => !all.includes(name));
  if (foreign !== undefined)
    throw wrong(`${place}/args`, `unexpected argument ${foreign}; known are ${all.join(', ')}`);
}

function checkLoop(value: unknown, place: string): void {
  if (value === undefined || Array.isArray(value) || isObject(value)) return;
  throw wrong(`${place}/loop`, 'a list or an object is needed');
}

/** A pattern without templates is one from the beginning. */
function checkPattern({ args, loop }: JsonObject, { required }: OpShape, place: string): void {
  const at = required.indexOf('regex');
  if (at < 0 || loop !== undefined) return;
  const problem = patternProblem(Array.isArray(args) ? args[at] : (args as JsonObject)['regex']);
  if (problem !== null) throw wrong(`${place}/args/regex`, problem);
}

/** An operator that a condition may turn round with a leading `!`, with nothing in between. */
function checkOp(item: unknown, place: string, ops: Readonly<Record<string, OpShape>>, negates: boolean): JsonObject {
  if (!isObject(item)) throw wrong(place, 'an object is needed');
  const { op, args, loop } = item;
  if (typeof op !== 'string') throw wrong(`${place}/op`, 'a string is needed');
  const name = negates && op.startsWith('!') ? op.slice(1) : op;
  const known = Object.hasOwn(ops, name) ? ops[name] : undefined;
  if (!known) throw wrong(`${place}/op`, `unknown operator ${op}; known are ${Object.keys(ops).join(', ')}`);
  checkArguments(args, known, place);
  checkLoop(loop, place);
  checkPattern(item, known, place);
  return item;
}

function checkCondition(item: unknown, place: string): void {
  const { multiple } = checkOp(item, place, conditionOps, true);
  if (multiple !== undefined && !multiples.includes(multiple))
    throw wrong(`${place}/multiple`, `one of ${multiples.join(', ')} is needed`);
}

/** Refuses with INVALID_PARAMETER what can not be carried out, naming the place (contract: other-resources.md §6). */
export function checkRule({ conditions, actions }: JsonObject): void {
  if (!Array.isArray(conditions)) throw wrong('conditions', 'a list is needed');
  if (!Array.isArray(actions)) throw wrong('actions', 'a list is needed');
  conditions.forEach((item, index) => checkCondition(item, `conditions/${index}`));
  if (actions.length === 0) throw wrong('actions', 'at least one action is needed');
  actions.forEach((item, index) => checkOp(item, `actions/${index}`, actionOps, false));
}
