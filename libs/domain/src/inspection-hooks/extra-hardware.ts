import type { JsonObject } from '../node/fields';
import { isObject } from '../introspection/json';
import type { Hook, Progress } from './types';

type Item = readonly [string, string, string, unknown];

const isItem = (value: unknown): value is Item =>
  Array.isArray(value) &&
  value.length === 4 &&
  value.slice(0, 3).every((part) => typeof part === 'string') &&
  (typeof value[3] !== 'object' || value[3] === null);

/** Whole numbers come as texts. */
const valueOf = (value: unknown): unknown => {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : value;
};

/** Built from entries: what a machine says is never a key of a prototype. */
function nested(items: readonly Item[]): JsonObject {
  const tree = new Map<string, Map<string, Map<string, unknown>>>();
  for (const [kind, name, key, value] of items) {
    const ofKind = tree.get(kind) ?? new Map<string, Map<string, unknown>>();
    const ofName = ofKind.get(name) ?? new Map<string, unknown>();
    tree.set(kind, ofKind.set(name, ofName.set(key, valueOf(value))));
  }
  const plain = (value: unknown): unknown =>
    value instanceof Map
      ? Object.fromEntries([...(value as Map<string, unknown>)].map(([key, inner]) => [key, plain(inner)]))
      : value;
  return plain(tree) as JsonObject;
}

const warned = (progress: Progress, text: string): Progress => ({
  ...progress,
  warnings: [...progress.warnings, `extra-hardware: ${text}`],
});

/** `data`, a list of [kind, name, key, value], becomes `extra[kind][name][key]` (contract: inspection.md §7). */
export const extraHardware: Hook = {
  after: [],
  main(progress, { options }) {
    const { data, ...rest } = progress.pluginData;
    if (!Array.isArray(data)) return warned(progress, 'the data has no list of extra hardware');
    const items = data.filter(isItem);
    const odd = data.length - items.length;
    if (odd > 0 && options.extraHardwareStrict === true) {
      return warned(progress, `${odd} records are malformed; all are kept as they came`);
    }
    const extra = { ...(isObject(rest['extra']) ? rest['extra'] : {}), ...nested(items) };
    const converted = { ...progress, pluginData: { ...rest, extra } };
    return odd > 0 ? warned(converted, `${odd} malformed records are left out`) : converted;
  },
};
