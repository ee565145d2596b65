import type { JsonObject } from '@lib/domain';
import type { Machine } from '@lib/ports';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The node's own script: `extra.fake = {"deploy": {"fails": "why"}}` makes what has that name fail, so that a machine
 * that does nothing can show every ending. Null: it does not.
 */
export function scriptedFailure({ extra }: Pick<Machine, 'extra'>, name: string): string | null {
  const script = isObject(extra['fake']) ? extra['fake'][name] : undefined;
  const fails = isObject(script) ? script['fails'] : undefined;
  return typeof fails === 'string' && fails !== '' ? fails : null;
}
