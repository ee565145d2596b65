import { boundedSearch } from '../../linear-pattern';
import { isInNetwork, parseIp, parseNetwork } from '../addresses';
import { isObject, type JsonObject } from '../json';
import { invalid } from '../refusal';
import { parsePath, valuesAt } from './json-path';

/** A condition as stored; `field` is a JSON path with scheme `data://` (default) or `node://`. */
export interface RuleCondition extends JsonObject {
  readonly op: string;
  readonly field: string;
  readonly multiple: 'any' | 'all' | 'first';
  readonly invert: boolean;
  readonly value?: unknown;
}

type Check = (have: unknown, want: unknown) => boolean;

/** A number compares with a number, also when one side was written as text. */
const compare =
  (fits: (order: number) => boolean): Check =>
  (have, want) => {
    if (typeof have === 'number' || typeof want === 'number') {
      const [a, b] = [Number(have), Number(want)];
      return !Number.isNaN(a) && !Number.isNaN(b) && fits(a - b);
    }
    const [a, b] = [have, want].map((side) => (typeof side === 'string' ? side : (JSON.stringify(side) ?? '')));
    return a !== undefined && b !== undefined && fits(a < b ? -1 : a > b ? 1 : 0);
  };

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

const inNetwork: Check = (have, want) => {
  const ip = parseIp(String(have));
  const network = parseNetwork(String(want));
  return ip !== null && network !== null && isInNetwork(ip, network);
};

/** @throws InspectorRefusal INVALID: the search might take for ever */
const fits = (pattern: string, text: string): boolean => {
  const found = boundedSearch(pattern, '', text);
  if (typeof found !== 'boolean') throw invalid(`A pattern can not be searched for: ${found.problem}`);
  return found;
};

export const conditionChecks: Readonly<Record<string, Check>> = {
  eq: compare((order) => order === 0),
  ne: compare((order) => order !== 0),
  lt: compare((order) => order < 0),
  gt: compare((order) => order > 0),
  le: compare((order) => order <= 0),
  ge: compare((order) => order >= 0),
  'in-net': inNetwork,
  matches: (have, want) => fits(`^(?:${String(want)})$`, String(have)),
  contains: (have, want) => fits(String(want), String(have)),
  'is-empty': (have) => isEmpty(have),
};

export interface Fields {
  readonly data: JsonObject;
  readonly node: JsonObject;
}

export const splitField = (field: string): { scheme: string; steps: string[] | null } => {
  const match = /^([a-z]+):\/\/(.*)$/.exec(field);
  return { scheme: match?.[1] ?? 'data', steps: parsePath(match?.[2] ?? field) };
};

export const conditionHolds = (condition: RuleCondition, fields: Fields): boolean => {
  const { scheme, steps } = splitField(condition.field);
  const found = valuesAt(scheme === 'node' ? fields.node : fields.data, steps ?? []);
  // A field that is not there fits no condition but `is-empty`.
  const values = found.length > 0 ? found : condition.op === 'is-empty' ? [null] : [];
  const check = conditionChecks[condition.op] ?? (() => false);
  const results = values.map((value) => check(value, condition.value) !== condition.invert);
  if (results.length === 0) return false;
  if (condition.multiple === 'first') return results[0] === true;
  return condition.multiple === 'all' ? results.every(Boolean) : results.some(Boolean);
};
