/** Options that hold one value. Spellings are those of the field's INI files (oslo). */
import { type Description, type Option, type Parsed, parsed, refused } from './option';

const TRUE_WORDS = ['true', '1', 'yes', 'on'];
const FALSE_WORDS = ['false', '0', 'no', 'off'];

function parseBoolean(text: string): Parsed<boolean> {
  const word = text.toLowerCase();
  if (TRUE_WORDS.includes(word)) return parsed(true);
  if (FALSE_WORDS.includes(word)) return parsed(false);
  return refused(`"${text}" is neither true nor false`);
}

const BOOLEAN_WORDS = 'true or false (also 1/0, yes/no, on/off)';

export function boolean(spec: Description & { readonly default: boolean }): Option<boolean> {
  return {
    ...spec,
    type: 'boolean',
    accepts: BOOLEAN_WORDS,
    parse: parseBoolean,
    defaultValue: () => spec.default,
    defaultText: String(spec.default),
  };
}

/** Unset is a third answer, whose meaning the option's own text tells. */
export function booleanOrUnset(spec: Description): Option<boolean | null> {
  return {
    ...spec,
    type: 'boolean',
    accepts: BOOLEAN_WORDS,
    parse: parseBoolean,
    defaultValue: () => null,
    defaultText: null,
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

interface NumberSpec extends Description, Range {
  readonly default: number;
}

function inRange(text: string, value: number, { min, max }: Range): Parsed<number> {
  if (value < min) return refused(`${text} is less than ${min}`);
  if (value > max) return refused(`${text} is more than ${max}`);
  return parsed(value);
}

/** A whole number written in digits; `1e3`, `0x10`, `NaN` and `Infinity` are text. */
export function integer(spec: NumberSpec): Option<number> {
  return {
    ...spec,
    type: 'integer',
    accepts: `${spec.min} to ${spec.max}`,
    parse: (text) =>
      /^[+-]?\d+$/.test(text) ? inRange(text, Number(text), spec) : refused(`"${text}" is not a whole number`),
    defaultValue: () => spec.default,
    defaultText: String(spec.default),
  };
}

export const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/** A decimal number, without exponent. */
export function float(spec: NumberSpec): Option<number> {
  return {
    ...spec,
    type: 'float',
    accepts: `${spec.min} to ${spec.max}, fractions allowed`,
    parse: (text) => (DECIMAL.test(text) ? inRange(text, Number(text), spec) : refused(`"${text}" is not a number`)),
    defaultValue: () => spec.default,
    defaultText: String(spec.default),
  };
}

export interface TextRule {
  /** Undefined when the text is fine, else what is wrong with it. */
  readonly check?: (text: string) => string | undefined;
  readonly accepts: string;
}

function checkText(text: string, rule: TextRule): Parsed<string> {
  const problem = rule.check?.(text);
  return problem === undefined ? parsed(text) : refused(problem);
}

export function text(spec: Description & TextRule & { readonly default: string }): Option<string> {
  return {
    ...spec,
    type: 'string',
    parse: (value) => checkText(value, spec),
    defaultValue: () => spec.default,
    defaultText: spec.default,
  };
}

/** A text whose default is something of the machine; `defaultText` says in words what. */
export function machineText(
  spec: Description & TextRule & { readonly of: 'hostname'; readonly defaultText: string },
): Option<string> {
  return {
    ...spec,
    type: 'string',
    parse: (value) => checkText(value, spec),
    defaultValue: (machine) => machine[spec.of],
  };
}

/** A text that may be unset; an empty value counts as unset. */
export function textOrUnset(spec: Description & TextRule): Option<string | null> {
  return {
    ...spec,
    type: 'string',
    parse: (value) => (value === '' ? parsed(null) : checkText(value, spec)),
    defaultValue: () => null,
    defaultText: null,
  };
}

function urlProblem(text: string): string | undefined {
  if (!/^https?:\/\/[^\s/?#]+/i.test(text) || !URL.canParse(text)) return `"${text}" is not an http or https address`;
  return /[?#]/.test(text) ? `"${text}" has a query or fragment` : undefined;
}

/** The base of an HTTP service, kept as written but for trailing slashes. */
export function urlOrUnset(spec: Description): Option<string | null> {
  return {
    ...spec,
    type: 'url',
    accepts: 'an http or https address',
    parse: (value) => {
      if (value === '') return parsed(null);
      const problem = urlProblem(value);
      return problem === undefined ? parsed(value.replace(/\/+$/, '')) : refused(problem);
    },
    defaultValue: () => null,
    defaultText: null,
  };
}
