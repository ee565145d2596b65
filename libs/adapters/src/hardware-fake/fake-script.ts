import type { JsonObject } from '@lib/domain';
import type { Machine } from '@lib/ports';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the node's own script says under a name: `extra.fake = {"deploy": {...}}`; empty where it says nothing. */
export function scriptUnder({ extra }: Pick<Machine, 'extra'>, name: string): JsonObject {
  const script = isObject(extra['fake']) ? extra['fake'][name] : undefined;
  return isObject(script) ? script : {};
}

/** `{"fails": "why"}` makes what the script is of fail, so that a machine that does nothing can show every ending. */
export const failureIn = ({ fails }: JsonObject): string | null =>
  typeof fails === 'string' && fails !== '' ? fails : null;
