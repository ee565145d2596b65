import { isSealed } from '../secrets';
import { RuleFailure } from './types';

const STEPS_MAX = 24;

/** Nothing is there any more. */
export const GONE = Symbol('gone');

/** `/a/b`, `a/b` and `a.b` are one path; a key with a dot in it is reached with slashes. */
export function stepsOf(path: unknown): readonly [string, ...string[]] {
  const plain = typeof path === 'string' ? path.replace(/^\//, '') : '';
  const steps = plain.split(plain.includes('/') || String(path).startsWith('/') ? '/' : '.');
  const [first = ''] = steps;
  if (steps.includes('') || steps.length > STEPS_MAX) {
    throw new RuleFailure(`${JSON.stringify(path)} is no path of one to ${STEPS_MAX} steps`);
  }
  return [first, ...steps.slice(1)];
}

/** The value with what is at the steps replaced by what `change` makes of it; objects on the way are made. */
export function changedAt(value: unknown, steps: readonly string[], change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return change(value);
  if (isSealed(value)) throw new RuleFailure(`the path leads into a secret at "${step}"`);
  if (Array.isArray(value)) return changedItem(value, step, rest, change);
  if (value !== null && value !== undefined && typeof value !== 'object') {
    throw new RuleFailure(`the path leads into something that is no object at "${step}"`);
  }
  const members = Object.entries(value ?? {});
  const old = members.find(([key]) => key === step)?.[1] as unknown;
  const changed = changedAt(old, rest, change);
  if (changed === GONE) return Object.fromEntries(members.filter(([key]) => key !== step));
  if (old !== undefined) return Object.fromEntries(members.map(([key, one]) => [key, key === step ? changed : one]));
  return Object.fromEntries([...members, [step, changed]]);
}

function changedItem(
  list: readonly unknown[],
  step: string,
  rest: readonly string[],
  change: (old: unknown) => unknown,
): unknown {
  const index = /^\d+$/.test(step) ? Number(step) : -1;
  if (index < 0 || index >= list.length) throw new RuleFailure(`the list has no item "${step}"`);
  const changed = changedAt(list[index], rest, change);
  return changed === GONE
    ? list.filter((_, at) => at !== index)
    : list.map((one, at) => (at === index ? changed : one));
}

const member = (value: unknown, step: string): unknown =>
  typeof value === 'object' && value !== null && !isSealed(value) && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;

/** The value without what is at the steps; one that has nothing there stays as it is. */
export const withoutAt = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(member, value) === undefined ? value : changedAt(value, steps, () => GONE);
