/** Options whose value has parts: pairs, and objects written in JSON. */
import { type Description, type Option, parsed, refused } from './option';

export type Pair = readonly [key: string, value: string];

/**
 * `key:value` separated by commas; a key may hold colons, a value none. `problemOf` says what is wrong with a pair.
 */
export function pairsOf(
  spec: Description & {
    readonly accepts: string;
    readonly default: readonly Pair[];
    readonly problemOf?: (pair: Pair) => string | undefined;
  },
): Option<readonly Pair[]> {
  return {
    ...spec,
    type: 'list',
    parse: (text) => {
      if (text.trim() === '') return parsed([]);
      const pairs: Pair[] = [];
      for (const part of text.split(',').map((each) => each.trim())) {
        const [, key = '', value = ''] = /^(.*\S)\s*:\s*([^:\s]+)$/.exec(part) ?? [];
        if (key === '') return refused(`"${part}" is not key:value`);
        const problem = spec.problemOf?.([key, value]);
        if (problem !== undefined) return refused(problem);
        pairs.push([key, value]);
      }
      return parsed(pairs);
    },
    defaultValue: () => spec.default,
    defaultText: spec.default.map(([key, value]) => `${key}:${value}`).join(','),
  };
}

/** One JSON object with these texts, or a list of such; none unless given. */
export function objectsOf<const Key extends string>(
  spec: Description & { readonly keys: readonly Key[] },
): Option<readonly Readonly<Record<Key, string>>[]> {
  const names = spec.keys.join(', ');
  const isEntry = (value: unknown): value is Readonly<Record<Key, string>> =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === spec.keys.length &&
    spec.keys.every((key) => typeof Reflect.get(value, key) === 'string' && Reflect.get(value, key) !== '');
  return {
    ...spec,
    type: 'list',
    accepts: `a JSON object with the texts ${names}, or a list of such`,
    parse: (text) => {
      if (text.trim() === '') return parsed([]);
      const value = valueIn(text);
      if (value === undefined) return refused(`"${text}" is no JSON`);
      const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
      return entries.every(isEntry)
        ? parsed(entries)
        : refused(`each entry needs the texts ${names}, and nothing else`);
    },
    defaultValue: () => [],
    defaultText: '',
  };
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
