/**
 * Arguments of a request: from the query, or named ones from a body.
 * contract: errors-and-negotiation.md §3, node-api.md §1 (booleans)
 */
import { badRequest } from '../faults';

const truths = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const lies = new Set(['0', 'f', 'false', 'off', 'n', 'no']);

/** A JSON boolean, or one of the words for it in any case. */
export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (truths.has(word)) return true;
  if (lies.has(word)) return false;
  const words = [...truths, ...lies].join(', ');
  throw badRequest(`Invalid value for ${name}: '${String(value)}'. A boolean is one of ${words}.`);
}

/** A positive or negative whole number, also as digits. */
export function integerOf(value: unknown, name: string): number {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)
        ? Number(value)
        : NaN;
  if (!Number.isSafeInteger(number))
    throw badRequest(`Invalid value for ${name}: '${String(value)}' is not an integer.`);
  return number;
}

/** Trimmed, lower-cased, each once. */
export function commaList(text: string): string[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  return [...new Set(words.filter((word) => word !== ''))];
}

export class QueryArguments {
  private readonly values: ReadonlyMap<string, readonly string[]>;

  constructor(search: string) {
    const values = new Map<string, string[]>();
    for (const [name, value] of new URLSearchParams(search)) {
      // No stored text holds one, and PostgreSQL refuses to compare with it.
      if (`${name}${value}`.includes('\0')) throw badRequest('An argument of the query holds a NUL character.');
      const known = values.get(name);
      if (known) known.push(value);
      else values.set(name, [value]);
    }
    this.values = values;
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  names(): string[] {
    return [...this.values.keys()];
  }

  /** Each name once, in the order in which they came, with its values. */
  entries(): [string, readonly string[]][] {
    return [...this.values];
  }

  /** Refuses what is not among the names. */
  only(names: readonly string[]): void {
    const unexpected = this.names().filter((name) => !names.includes(name));
    if (unexpected.length > 0) throw badRequest(`Unexpected arguments: ${unexpected.join(', ')}`);
  }

  single(name: string): string | undefined {
    const values = this.values.get(name);
    if (values !== undefined && values.length > 1) throw badRequest(`The argument ${name} was given more than once.`);
    return values?.[0];
  }

  boolean(name: string): boolean | undefined {
    const value = this.single(name);
    return value === undefined ? undefined : booleanOf(value, name);
  }

  integer(name: string): number | undefined {
    const value = this.single(name);
    return value === undefined ? undefined : integerOf(value, name);
  }

  /** Comma lists; given twice they are one list. */
  list(name: string): string[] | undefined {
    const values = this.values.get(name);
    return values === undefined ? undefined : commaList(values.join(','));
  }
}
