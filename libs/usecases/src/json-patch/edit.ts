/** The three operations on one object or list, in place. Each gives the reason why it is impossible, else null. */
export type Container = Record<string, unknown> | unknown[];

const ABSENT = 'there is nothing at this path';
const NO_INDEX = 'the path names no place of the list';

/** RFC 6901 §4: digits without leading zeros. Null for anything else and for what lies behind the end. */
function indexOf(key: string, lengthMax: number): number | null {
  const index = /^(?:0|[1-9][0-9]{0,9})$/.test(key) ? Number(key) : lengthMax + 1;
  return index <= lengthMax ? index : null;
}

/** Defined, not assigned: assigning `__proto__` would change what the object is. */
function set(object: Record<string, unknown>, key: string, value: unknown): null {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return null;
}

export function add(container: Container, key: string, value: unknown): string | null {
  if (!Array.isArray(container)) return set(container, key, value);
  const index = key === '-' ? container.length : indexOf(key, container.length);
  if (index === null) return NO_INDEX;
  container.splice(index, 0, value);
  return null;
}

export function replace(container: Container, key: string, value: unknown): string | null {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? set(container, key, value) : ABSENT;
  const index = indexOf(key, container.length - 1);
  if (index === null) return ABSENT;
  container[index] = value;
  return null;
}

export function remove(container: Container, key: string): string | null {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) && delete container[key] ? null : ABSENT;
  const index = indexOf(key, container.length - 1);
  if (index === null) return ABSENT;
  container.splice(index, 1);
  return null;
}
