import type { JsonObject } from '../node/fields';
import type { OpShape } from './shapes';
import { filled } from './template';
import type { Sight } from './template';
import type { RuleItem } from './types';

/** Arguments by name. */
export function namedArguments({ args }: RuleItem, { required, optional }: OpShape): JsonObject {
  if (!Array.isArray(args)) return args as JsonObject;
  const names = [...required, ...optional];
  return Object.fromEntries(args.map((value: unknown, at) => [names[at] ?? String(at), value]));
}

/**
 * Arguments as the operator gets them: templates are filled in where its shape says so, and everywhere in a loop
 * (contract: inspection.md §12.2). `unresolved` says what stands for a text that can not be filled in.
 */
export function filledArguments(
  item: RuleItem,
  shape: OpShape,
  sight: Sight,
  unresolved: (text: string) => unknown,
): JsonObject {
  const entries = Object.entries(namedArguments(item, shape)).map(([name, value]) => {
    const fills = item.loop !== undefined || shape.filled.includes(name);
    return [name, fills ? filled(value, sight, unresolved) : value];
  });
  return Object.fromEntries(entries);
}

/** The values of `item`, one for each time that the operator runs; undefined: once, and not in a loop. */
export function itemsOf({ loop }: RuleItem): readonly unknown[] {
  if (loop === undefined) return [undefined];
  return Array.isArray(loop) ? loop : [loop];
}
