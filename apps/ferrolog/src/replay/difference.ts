import type { View } from './view';

/** One value that differs; undefined: it was or is not there. */
export interface Change {
  /** Names from the top, joined by dots. */
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What changed between two states, object by object down to the single value. */
export const difference = (before: View, after: View): Change[] => changes('', before ?? {}, after ?? {});

function changes(path: string, before: unknown, after: unknown): Change[] {
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changes(path === '' ? key : `${path}.${key}`, own(before, key), own(after, key)),
    );
  }
  // A whole object that came or went is told by its parts, an empty one by itself.
  if (isObject(after) && before === undefined && Object.keys(after).length > 0) return changes(path, {}, after);
  if (isObject(before) && after === undefined && Object.keys(before).length > 0) return changes(path, before, {});
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before === undefined ? {} : { from: before }), ...(after === undefined ? {} : { to: after }) }];
}

const own = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;
