import { textForm } from './text-form';
import { RuleFailure } from './types';

/** What templates may name: `node`, `inventory`, `plugin_data`, and `item` in a loop. */
export type Sight = Readonly<Record<string, unknown>>;

/** A filled-in text that is longer is data in the wrong place; one that names itself would grow without end. */
const FILLED_CHARS_MAX = 65_536;

const token = /\{\{|\}\}|\{([a-z_]\w*)((?:\.\w+|\[[^[\]{}]+\])*)\}|[{}]/gi;

const stepsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\.(\w+)|\[([^[\]]+)\]/g)].map(([, name, key]) => name ?? key ?? '');

function member(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Sight)[step];
}

const found = (sight: Sight, root: string, path: string): unknown =>
  [root, ...stepsOf(path)].reduce<unknown>(member, sight);

/** The text with its templates filled in; null when one of them names nothing, or is none (contract: inspection.md §12.2). */
export function filledText(text: string, sight: Sight): string | null {
  if (!/[{}]/.test(text)) return text;
  let isWhole = true;
  const filled = text.replace(token, (all, root?: string, path?: string) => {
    if (all === '{{' || all === '}}') return all.charAt(0);
    const value = root === undefined ? undefined : found(sight, root, path ?? '');
    if (value === undefined) isWhole = false;
    return value === undefined ? all : textForm(value);
  });
  if (!isWhole) return null;
  if (filled.length > FILLED_CHARS_MAX) {
    throw new RuleFailure(`a filled-in text has ${filled.length} characters (${FILLED_CHARS_MAX} at most)`);
  }
  return filled;
}

/** A value with all its texts filled in. A text that can not be is told to `unresolved`, whose answer stands in its place. */
export function filled(value: unknown, sight: Sight, unresolved: (text: string) => unknown): unknown {
  if (typeof value === 'string') return filledText(value, sight) ?? unresolved(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, sight, unresolved));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, sight, unresolved)]));
}
