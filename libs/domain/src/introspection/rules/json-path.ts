import { isObject, type JsonObject } from '../json';

const stepPattern = /^(?:\.?([^.[\]]+)|\[(\d+)\]|\[['"]([^'"]+)['"]\]|\[(\*)\])/;

/** `a.b[0]["c"][*]` as its steps; null when malformed. A leading `$.` is allowed. */
export const parsePath = (path: string): string[] | null => {
  const steps: string[] = [];
  let rest = path.replace(/^\$\.?/, '');
  while (rest !== '') {
    const match = stepPattern.exec(rest);
    const step = match?.slice(1).find((part) => part !== undefined);
    if (!match || step === undefined) return null;
    steps.push(step);
    rest = rest.slice(match[0].length);
  }
  return steps.length > 0 ? steps : null;
};

const children = (value: unknown, step: string): unknown[] => {
  if (Array.isArray(value)) {
    if (step === '*') return value;
    const item: unknown = /^\d+$/.test(step) ? value[Number(step)] : undefined;
    return item === undefined ? [] : [item];
  }
  if (!isObject(value)) return [];
  if (step === '*') return Object.values(value);
  return Object.hasOwn(value, step) ? [value[step]] : [];
};

/** Every value that the path reaches. */
export const valuesAt = (root: JsonObject, steps: readonly string[]): unknown[] =>
  steps.reduce<unknown[]>((values, step) => values.flatMap((value) => children(value, step)), [root]);
