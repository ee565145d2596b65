/** JSON as it came over the wire. Keys are data: never assign them onto an object, build with fromEntries or spread. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under a key, or an empty one: ramdisks leave out, null or misuse whole branches. */
export const objectAt = (parent: unknown, key: string): JsonObject => {
  const value = isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  return isObject(value) ? value : {};
};

export const listAt = (parent: unknown, key: string): readonly unknown[] => {
  const value = isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  return Array.isArray(value) ? value : [];
};

/** A non-empty text, else null. */
export const textAt = (parent: unknown, key: string): string | null => {
  const value = isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
};

/** A finite number, also when written as text, else null. */
export const numberAt = (parent: unknown, key: string): number | null => {
  const value = isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};
