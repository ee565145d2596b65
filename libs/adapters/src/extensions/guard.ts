import type { InspectInterfaceFacts } from '@lib/domain';
import type { Call, Clock, ContributedInspect } from '@lib/ports';
import { within } from '../bounded-call';
import { shapes } from './shapes';
import type { Kind } from './shapes';

type Members = Readonly<Record<string, unknown>>;
type Method = (...args: unknown[]) => unknown;

/** For calls that no effect bounds: a peer that says nothing must not keep others waiting. */
const LIMIT_MS = 30_000;

/** What keeps an interface from being used at all, in sentences. */
export function interfaceProblems(kind: Kind, name: string, given: unknown): string[] {
  const called = `the ${kind} interface "${name}"`;
  if (typeof given !== 'object' || given === null) return [`${called} is no object`];
  const { data = {}, sync = {}, async: later = {}, optional = [] } = shapes[kind];
  const members = given as Members;
  const functions = Object.keys({ ...sync, ...later }).filter((one) => {
    const isAbsent = members[one] === undefined && optional.includes(one);
    return !isAbsent && typeof members[one] !== 'function';
  });
  const wrong = Object.entries(data).flatMap(([one, check]) => {
    const problem = problemOf(() => check(members[one]));
    return problem === null ? [] : [`${one} of ${called}: ${problem}`];
  });
  return [
    ...functions.map((one) => `${called} has no function ${one}`),
    ...wrong,
    ...factsProblems(kind, called, members),
  ];
}

const powerOffs = ['always', 'on timeout or managed boot', 'never'];

function factsProblems(kind: Kind, called: string, { facts }: Members): string[] {
  const given = facts as ContributedInspect['facts'];
  const powerOff = given?.powerOff;
  return kind === 'inspect' && powerOff !== undefined && !powerOffs.includes(powerOff)
    ? [`powerOff of ${called} is none of ${powerOffs.join(', ')}`]
    : [];
}

const problemOf = (check: () => unknown): string | null => {
  try {
    check();
    return null;
  } catch (error) {
    return messageOf(error);
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What an inspect interface can do is what it has functions for. */
function factsOf(
  name: string,
  { facts = {}, abort, startIntrospection, leftInspectWait }: ContributedInspect,
): InspectInterfaceFacts {
  return {
    name,
    abort: abort !== undefined,
    powerOff: facts.powerOff ?? 'never',
    startsIntrospection: startIntrospection !== undefined,
    takesData: facts.takesData ?? false,
    ...(leftInspectWait ? { hearsOfEndings: true } : {}),
  };
}

/**
 * An extension's interface as the conductor calls it. What throws at once is told as a problem of that machine, what comes back is
 * checked before it can get into the log, and no call of it outlasts its limit.
 */
export function guarded(kind: Kind, name: string, given: object, clock: Clock): object {
  const { data = {}, sync = {}, async: later = {} } = shapes[kind];
  const members = given as Members;
  const of = (one: string): Method | null => {
    const method = members[one];
    return typeof method === 'function' ? (...args) => (method as Method).apply(given, args.map(harmless)) : null;
  };
  const entries: [string, unknown][] = Object.entries(data).map(([one, check]) => [one, check(members[one])]);
  for (const [one, { check, failed }] of Object.entries(sync)) {
    const method = of(one);
    if (method) entries.push([one, (...args: unknown[]) => answered(() => check(method(...args)), failed, name, one)]);
  }
  for (const [one, { check, limited }] of Object.entries(later)) {
    const method = of(one);
    if (!method) continue;
    const call = async (...args: unknown[]): Promise<unknown> => checked(check, await method(...args), name, one);
    entries.push([one, limited ? (...args: unknown[]) => inTime(call(...args), name, one, clock) : call]);
  }
  const facts = kind === 'inspect' ? { facts: Object.freeze(factsOf(name, given as ContributedInspect)) } : {};
  return Object.freeze({ ...Object.fromEntries(entries), ...facts });
}

function answered(ask: () => unknown, failed: (problem: string) => unknown, name: string, one: string): unknown {
  try {
    return ask();
  } catch (error) {
    return failed(`interface ${name} failed at ${one}: ${messageOf(error)}`);
  }
}

function checked(check: (value: unknown) => unknown, value: unknown, name: string, one: string): unknown {
  const problem = problemOf(() => check(value));
  if (problem !== null) throw new Error(`interface ${name} answers ${one} with something else: ${problem}`);
  return check(value);
}

async function inTime(work: Promise<unknown>, name: string, one: string, clock: Clock): Promise<unknown> {
  const told = await within(
    work.then((value) => ({ value })),
    LIMIT_MS,
    clock,
  );
  if (!told) throw new Error(`interface ${name} did not answer ${one} within ${LIMIT_MS / 1000} seconds`);
  return told.value;
}

/** A question that an extension forgets to wait for is nobody's unhandled rejection. */
function harmless(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null || !('stillStands' in argument)) return argument;
  const call = argument as Call;
  const stillStands = (): Promise<void> => {
    const standing = call.stillStands();
    standing.catch(() => undefined);
    return standing;
  };
  return { ...call, stillStands };
}
