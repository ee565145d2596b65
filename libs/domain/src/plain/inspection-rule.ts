import { Refusal } from '../refusal';
import type { ResourceDocument } from '../resource';
import { noRules } from './rules';
import type { PlainRules } from './rules';

interface OpShape {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

const shape = (required: readonly string[], ...optional: string[]): OpShape => ({ required, optional });

/** contract: other-resources.md §6, table of conditions. Positional arguments come in this order. */
const conditionOps: Readonly<Record<string, OpShape>> = {
  eq: shape(['values'], 'force_strings'),
  lt: shape(['values'], 'force_strings'),
  gt: shape(['values'], 'force_strings'),
  'is-empty': shape(['value']),
  'in-net': shape(['address', 'subnet']),
  matches: shape(['value', 'regex']),
  contains: shape(['value', 'regex']),
  'one-of': shape(['value'], 'values'),
  'is-none': shape(['value']),
  'is-true': shape(['value']),
  'is-false': shape(['value']),
};

/** contract: other-resources.md §6, table of actions */
const actionOps: Readonly<Record<string, OpShape>> = {
  fail: shape(['msg']),
  log: shape(['msg'], 'level'),
  'set-attribute': shape(['path', 'value']),
  'extend-attribute': shape(['path', 'value'], 'unique'),
  'del-attribute': shape(['path']),
  'set-capability': shape(['name', 'value']),
  'unset-capability': shape(['name']),
  'add-trait': shape(['name']),
  'remove-trait': shape(['name']),
  'set-plugin-data': shape(['path', 'value']),
  'extend-plugin-data': shape(['path', 'value'], 'unique'),
  'unset-plugin-data': shape(['path']),
  'set-port-attribute': shape(['port_id', 'path', 'value']),
  'extend-port-attribute': shape(['port_id', 'path', 'value'], 'unique'),
  'del-port-attribute': shape(['port_id', 'path']),
  'api-call': shape(['url'], 'headers', 'proxies', 'timeout', 'retries', 'backoff_factor'),
};

const multiples: readonly unknown[] = ['any', 'all', 'first', 'last'];

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (place: string, text: string): Refusal =>
  new Refusal('INVALID_PARAMETER', `Schema error for ${place}: ${text}.`);

function checkArguments(args: unknown, { required, optional = [] }: OpShape, place: string): void {
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
  return item;
}

function checkCondition(item: unknown, place: string): void {
  const { multiple } = checkOp(item, place, conditionOps, true);
  if (multiple !== undefined && !multiples.includes(multiple))
    throw wrong(`${place}/multiple`, `one of ${multiples.join(', ')} is needed`);
}

function checked(document: ResourceDocument): ResourceDocument {
  const { conditions, actions } = document;
  if (!Array.isArray(conditions)) throw wrong('conditions', 'a list is needed');
  if (!Array.isArray(actions)) throw wrong('actions', 'a list is needed');
  conditions.forEach((item, index) => checkCondition(item, `conditions/${index}`));
  if (actions.length === 0) throw wrong('actions', 'at least one action is needed');
  actions.forEach((item, index) => checkOp(item, `actions/${index}`, actionOps, false));
  return document;
}

/** contract: other-resources.md §6 */
export const inspectionRuleRules: PlainRules = {
  ...noRules,
  create: checked,
  change(before, after) {
    if (before['sensitive'] === true && after['sensitive'] !== true)
      throw new Refusal('INVALID_PARAMETER', 'A sensitive inspection rule stays sensitive.');
    return checked(after);
  },
};
