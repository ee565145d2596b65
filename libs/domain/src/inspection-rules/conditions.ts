import { isInNetwork, parseIp, parseNetwork } from '../introspection/addresses';
import { sameJson } from '../json';
import type { JsonObject } from '../node/fields';
import { filledArguments, itemsOf } from './arguments';
import { fits } from './pattern';
import { conditionOps } from './shapes';
import type { Sight } from './template';
import { textForm } from './text-form';
import { RuleFailure } from './types';
import type { RuleItem } from './types';

type Check = (args: JsonObject, inLoop: boolean) => boolean;

const pairs = (values: readonly unknown[]): readonly (readonly [unknown, unknown])[] =>
  values.slice(1).map((value, at) => [values[at], value]);

/** Every neighbouring pair; texts compare with texts where that is forced, as it is in a loop. */
const neighbours =
  (holds: (one: unknown, next: unknown) => boolean): Check =>
  ({ values, force_strings: forced }, inLoop) => {
    if (!Array.isArray(values)) throw new RuleFailure('values is no list');
    const compared: readonly unknown[] = forced === true || inLoop ? values.map(textForm) : values;
    return pairs(compared).every(([one, next]) => holds(one, next));
  };

function order(one: unknown, next: unknown): number {
  if (typeof one === 'number' && typeof next === 'number') return one - next;
  if (typeof one === 'string' && typeof next === 'string') return one < next ? -1 : one > next ? 1 : 0;
  throw new RuleFailure(`${kindOf(one)} and ${kindOf(next)} have no order; force_strings compares their texts`);
}

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`;

const inNetwork: Check = ({ address, subnet }) => {
  const ip = parseIp(textForm(address));
  if (!ip) throw new RuleFailure(`"${textForm(address)}" is no IP address`);
  const network = parseNetwork(textForm(subnet));
  if (!network) throw new RuleFailure(`"${textForm(subnet)}" is no network`);
  return isInNetwork(ip, network);
};

const numberIn = (text: string): number => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN);

/** What is filled in is a text: `4` and `None` mean what they were before. */
function truthOf(value: unknown): 'yes' | 'no' | 'neither' {
  const text = textForm(value).toLowerCase();
  if (text === 'true' || text === 'yes') return 'yes';
  if (text === 'false' || text === 'no' || text === 'none') return 'no';
  const number = numberIn(text);
  return Number.isNaN(number) ? 'neither' : number === 0 ? 'no' : 'yes';
}

/** contract: other-resources.md §6, table of conditions */
const checks: Readonly<Record<string, Check>> = {
  eq: neighbours(sameJson),
  lt: neighbours((one, next) => order(one, next) < 0),
  gt: neighbours((one, next) => order(one, next) > 0),
  'is-empty': ({ value }) => ['', 'None', '[]', '{}'].includes(textForm(value)),
  'in-net': inNetwork,
  matches: ({ value, regex }) => fits(textForm(value), regex, 'whole'),
  contains: ({ value, regex }) => fits(textForm(value), regex, 'any'),
  'one-of': ({ value, values = [] }, inLoop) => {
    if (!Array.isArray(values)) throw new RuleFailure('values is no list');
    return values.some((one: unknown) => (inLoop ? textForm(one) === textForm(value) : sameJson(one, value)));
  },
  'is-none': ({ value }) => textForm(value) === 'None',
  'is-true': ({ value }) => truthOf(value) === 'yes',
  'is-false': ({ value }) => truthOf(value) === 'no',
};

/** Whether a condition holds. Throws RuleFailure where it can not be told. */
export function conditionHolds(item: RuleItem, sight: Sight, unresolved: (text: string) => unknown): boolean {
  const negates = item.op.startsWith('!');
  const op = negates ? item.op.slice(1).trim() : item.op;
  const [check, shape] = [checks[op], conditionOps[op]];
  if (!check || !shape) throw new RuleFailure(`unknown condition ${item.op}`);
  // A key that is not there counts as null for this one alone.
  const missing = op === 'is-empty' ? () => null : unresolved;
  const inLoop = item.loop !== undefined;
  const results = itemsOf(item).map((each) => {
    const args = filledArguments(item, shape, inLoop ? { ...sight, item: each } : sight, missing);
    return check(args, inLoop) !== negates;
  });
  return inLoop ? together(results, item.multiple ?? 'any') : results[0] === true;
}

/** contract: inspection.md §12.2, loop. Of no items at all only `all` holds. */
function together(results: readonly boolean[], multiple: 'any' | 'all' | 'first' | 'last'): boolean {
  if (multiple === 'all') return results.every(Boolean);
  // `first` ends with the first success, and is the result of the first item where there is none.
  return multiple === 'last' ? results.at(-1) === true : results.includes(true);
}
