/** What the calls of an extension's interfaces may come to: anything else would get into the log, or stop what reads it. */
import type { ContributedInterfaces } from '@lib/ports';

export type Kind = keyof ContributedInterfaces;

/** Returns the value as it may be used; throws when it is none. */
type Check = (value: unknown) => unknown;

export interface Shape {
  /** Attributes beside the functions. */
  readonly data?: Readonly<Record<string, Check>>;
  /** Functions that answer at once, with what stands for an answer where they throw or answer nonsense. */
  readonly sync?: Readonly<Record<string, { readonly check: Check; readonly failed: (problem: string) => unknown }>>;
  /** `limited`: nobody else bounds the time of the call. */
  readonly async?: Readonly<Record<string, { readonly check: Check; readonly limited?: true }>>;
  /** Functions that may be absent. */
  readonly optional?: readonly string[];
}

type JsonMap = Record<string, unknown>;

/** As it would be read back from the log; throws for what has no JSON, such as a circle. */
const json: Check = (value) => {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new Error(`${typeof value} is no JSON`);
  return JSON.parse(text) as unknown;
};

function object(value: unknown): JsonMap {
  const plain = json(value);
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) throw new Error(`an object is expected`);
  return plain as JsonMap;
}

const fail = (what: string, value: unknown): never => {
  throw new Error(`${what} is expected, not ${JSON.stringify(value) ?? typeof value}`);
};

const nothing: Check = () => undefined;
const ofType =
  (type: 'string' | 'boolean' | 'number'): Check =>
  (value) =>
    typeof value === type ? value : fail(`a ${type}`, value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || value === undefined ? null : check(value);
const oneOf =
  (...words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value) ? value : fail(words.map((word) => JSON.stringify(word)).join(' or '), value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) ? value.map(check) : fail('a list', value);
const anything: Check = (value) => value;

/** An object of which only these members count; one that is absent stays so. */
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    const plain = object(value);
    const kept = Object.entries(checks).filter(([name]) => plain[name] !== undefined);
    return Object.fromEntries(kept.map(([name, check]) => [name, check(plain[name])]));
  };
const all =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    const missing = Object.keys(checks).find((name) => object(value)[name] === undefined);
    return missing === undefined ? members(checks)(value) : fail(`${missing} in the answer`, value);
  };

const text = ofType('string');
const yesOrNo = ofType('boolean');
const powerState = oneOf('power on', 'power off', null);
const bootDevice = all({ device: text, persistent: yesOrNo });
const seen = all({ powerState, changed: yesOrNo, bootDevice: orNull(bootDevice) });
const problem = { check: orNull(text), failed: (what: string) => what };
const support = {
  check: (value: unknown) =>
    object(value)['verdict'] === 'supported'
      ? { verdict: 'supported' }
      : all({ verdict: oneOf('unsupported', 'missing parameter'), reason: text })(value),
  failed: (reason: string) => ({ verdict: 'missing parameter', reason }),
};

/** A start that comes back with nothing at all has returned an unexpected state, and not broken (contract: inspection.md §3.1). */
const inspected: Check = (value) =>
  typeof value !== 'object' || value === null
    ? { returned: value === undefined || value === null ? null : String(value) }
    : members({
        returned: orNull(String),
        manageBoot: yesOrNo,
        lookupBmcAddresses: listOf(text),
        properties: object,
        machine: seen,
        data: all({ inventory: object, pluginData: object }),
      })(value);

const reported: Check = (value) =>
  object(value)['state'] === 'ended'
    ? {
        error: null,
        data: null,
        ...(all({ state: text, startedAt: ofType('number') })(value) as JsonMap),
        ...(members({ error: orNull(text), data: orNull(object) })(value) as JsonMap),
      }
    : all({ state: oneOf('running', 'unknown') })(value);

const worked: Check = (value) =>
  value === undefined
    ? {}
    : members({
        waits: all({ abortable: yesOrNo }),
        holds: oneOf(true),
        powerState,
        machine: seen,
        parts: object,
        raidConfig: object,
      })(value);

const refusal = (what: string) => ({ problem: what });
const answer: Check = (value) =>
  'answer' in object(value)
    ? { answer: object(value)['answer'] }
    : members({ unsupported: text, problem: text })(value);

const lifecycle: Shape = {
  data: { works: listOf(text) },
  sync: { validate: problem, ownSteps: { check: listOf(object), failed: () => [] } },
  async: { work: { check: worked } },
};

const acting: Shape = {
  data: { vendorMethods: object },
  sync: {
    validate: problem,
    check: {
      check: (value) => (value === null ? null : members({ unsupported: text, problem: text })(value)),
      failed: refusal,
    },
  },
  async: {
    carryOut: { check: (value) => (value === undefined ? undefined : json(value)) },
    ask: { check: answer, limited: true },
  },
};

const parts: Shape = {
  sync: { validate: problem },
  async: { read: { check: object }, takeStep: { check: worked } },
  optional: ['takeStep'],
};

export const shapes: Readonly<Record<Kind, Shape>> = {
  inspect: {
    sync: { validate: problem, managesBoot: { check: yesOrNo, failed: () => false } },
    async: {
      inspect: { check: inspected },
      startIntrospection: { check: nothing },
      abort: { check: nothing },
      report: { check: reported, limited: true },
      leftInspectWait: { check: nothing, limited: true },
    },
    optional: ['managesBoot', 'startIntrospection', 'abort', 'report', 'leftInspectWait'],
  },
  power: {
    sync: { validate: problem },
    async: { read: { check: powerState }, change: { check: all({ powerState, changed: yesOrNo }) } },
  },
  management: {
    sync: {
      validate: problem,
      bootDevices: { check: listOf(text), failed: () => [] },
      checkBootDevice: problem,
      readBootDevice: { check: anything, failed: () => ({ boot_device: null, persistent: null }) },
    },
    async: { setBootDevice: { check: nothing }, macs: { check: listOf(text) } },
    optional: ['macs'],
  },
  managementActs: acting,
  boot: {
    data: { bootsByPort: yesOrNo },
    sync: { validate: problem, validateInspection: support },
    async: { prepareRamdisk: { check: orNull(bootDevice) }, cleanUpRamdisk: { check: nothing, limited: true } },
  },
  network: { sync: { validate: problem, validateInspection: support } },
  deploy: lifecycle,
  rescue: lifecycle,
  console: acting,
  vendor: acting,
  raid: {
    sync: { validate: problem, checkConfig: problem },
    async: { takeStep: { check: worked } },
    optional: ['takeStep'],
  },
  bios: parts,
  firmware: parts,
};
