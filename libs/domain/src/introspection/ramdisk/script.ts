import { isObject, type JsonObject } from '../json';
import { invalid } from '../refusal';
import { type BodyWish, bodyWishOf, plainBody } from './body';
import { dice } from './dice';

/**
 * How a simulated ramdisk, or the inspector towards it, behaves in one run:
 * `succeed` posts good data; `error` posts data whose run ends in error; `ramdisk-error` posts data that says that the ramdisk
 * failed, which is refused while the run goes on waiting; `early` posts as soon as the start is accepted and never again; `never` stays silent; `late` posts once the node's
 * inspection has ended; `after-abort` posts once it has failed or was aborted; `twice` posts a second time; `slow` posts good
 * data, much later; `malformed` posts half a body; `crash` boots and is gone; `refuse-abort` answers an abort with an error;
 * `ignore-abort` accepts an abort (202) and goes on waiting; with `cache-lost` the inspector forgets the node while it waits, and
 * the data comes to one that knows nothing of it.
 */
export const scriptNames = [
  'succeed',
  'error',
  'never',
  'late',
  'twice',
  'refuse-abort',
  'ignore-abort',
  'slow',
  'after-abort',
  'malformed',
  'crash',
  'cache-lost',
  'ramdisk-error',
  'early',
] as const;
export type ScriptName = (typeof scriptNames)[number];

const faultAnswers = [400, 404, 409, 500, 503, 'none'] as const;

/** An answer in the place of the inspector's own. */
export interface ScriptedFault {
  /** Status of the answer, or `none` for a peer that does not answer. */
  readonly answer: (typeof faultAnswers)[number];
  /** How many times it is given before the inspector answers itself; null = always. */
  readonly times: number | null;
  /** Only each n-th question is answered thus; 1 = each. */
  readonly every: number;
}

/** A start is answered thus, or is taken and fails behind its answer with `message`. */
export interface ScriptedStart extends Omit<ScriptedFault, 'answer'> {
  readonly answer: ScriptedFault['answer'] | 'error';
  readonly message: string;
}

/** How a question for the status is answered: with this delay, and in the inspector's place where there is an `answer`. */
export interface ScriptedStatus extends Omit<ScriptedFault, 'answer'> {
  readonly answer: ScriptedFault['answer'] | null;
  readonly delayMs: number;
}

export interface Script {
  readonly script: ScriptName;
  /**
   * Delay of the post. Counted from the start of the wait; for `refuse-abort` and `ignore-abort` from the first abort,
   * where null means that nothing is ever posted.
   */
  readonly afterMs: number | null;
  /** `refuse-abort`: status of the refusal, or `none` for a peer that does not answer. */
  readonly answer: 409 | 500 | 503 | 'none';
  /** `refuse-abort`: how many aborts are refused before one is honoured; null = all. */
  readonly times: number | null;
  /** `error`: text that the run ends with; `ramdisk-error`: what the ramdisk says of itself. */
  readonly message: string;
  /** Name of the inventory to post; null = chosen by the node's uuid. */
  readonly inventory: string | null;
  /** What starts are answered until one is taken; null: nothing scripted. */
  readonly start: ScriptedStart | null;
  /** What questions for the status of the run are answered; null: nothing scripted. */
  readonly status: ScriptedStatus | null;
  /** What questions for the data of the run are answered; null: nothing scripted. */
  readonly data: ScriptedFault | null;
  readonly body: BodyWish;
}

export interface FleetOptions {
  readonly seed: string;
  /** Relative weights; a script that is not named is never chosen. */
  readonly weights: Readonly<Partial<Record<ScriptName, number>>>;
  readonly afterMsMin: number;
  readonly afterMsMax: number;
}

export const DEFAULT_FAILURE = 'the ramdisk reported a failing disk (scripted)';
const DEFAULT_START_FAILURE = 'the machine could not be rebooted (scripted)';

/** A year: longer delays are slips of the pen. */
const SECONDS_MAX = 365 * 24 * 3600;

const plain = (script: ScriptName, afterMs: number | null): Script => ({
  script,
  afterMs,
  answer: 500,
  times: null,
  message: DEFAULT_FAILURE,
  inventory: null,
  start: null,
  status: null,
  data: null,
  body: plainBody,
});

const isScriptName = (value: unknown): value is ScriptName => (scriptNames as readonly unknown[]).includes(value);
const answers: readonly unknown[] = [409, 500, 503, 'none'];

const msOf = (value: unknown, key: 'after' | 'status.delay'): number | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !(value >= 0) || value > SECONDS_MAX) {
    throw invalid(`extra.simulator.${key} must be a number of seconds, 0 or more`);
  }
  return Math.round(value * 1000);
};

const textOr = <T>(wish: JsonObject, key: string, otherwise: T): string | T => {
  const value = wish[key] ?? otherwise;
  if (value !== otherwise && typeof value !== 'string') throw invalid(`extra.simulator.${key} must be a text`);
  return value as string | T;
};

const countOf = (value: unknown, key: string): number | null => {
  const count = value ?? null;
  if (count === null || (Number.isSafeInteger(count) && (count as number) >= 1)) return count as number | null;
  throw invalid(`extra.simulator.${key} must be a whole number, 1 or more`);
};

const answeredFault = <A extends string | number>(
  wish: JsonObject,
  key: 'start' | 'status' | 'data',
  known: readonly A[],
): { readonly answer: A; readonly times: number | null; readonly every: number } | null => {
  const fault = wish[key] ?? null;
  if (fault === null) return null;
  const answer = isObject(fault) ? known.find((one) => one === (fault['answer'] ?? 500)) : undefined;
  if (!isObject(fault) || answer === undefined) {
    throw invalid(`extra.simulator.${key} must be an object whose answer is one of ${known.join(', ')}`);
  }
  const [times, every] = (['times', 'every'] as const).map((name) => countOf(fault[name], `${key}.${name}`));
  return { answer, times: times ?? null, every: every ?? 1 };
};

const startOf = (wish: JsonObject): ScriptedStart | null => {
  const fault = answeredFault(wish, 'start', [...faultAnswers, 'error'] as const);
  return fault && { ...fault, message: textOr(wish['start'] as JsonObject, 'message', DEFAULT_START_FAILURE) };
};

/** A delay alone leaves the answer to the inspector. */
const statusOf = (wish: JsonObject): ScriptedStatus | null => {
  const fault = answeredFault(wish, 'status', faultAnswers);
  if (fault === null) return null;
  const { delay, answer } = wish['status'] as JsonObject;
  const delayMs = msOf(delay, 'status.delay');
  return { ...fault, answer: delayMs !== null && answer === undefined ? null : fault.answer, delayMs: delayMs ?? 0 };
};

/**
 * The script that a node's `extra.simulator` asks for; null: none, the node is left alone.
 * @throws InspectorRefusal INVALID for a script that does not exist, so that a typo is not taken for silence.
 */
export const scriptOf = (extra: Readonly<JsonObject>): Script | null => {
  const wish = extra['simulator'];
  if (!isObject(wish) || wish['script'] === undefined) return null;
  const script = wish['script'];
  if (!isScriptName(script)) {
    throw invalid(`extra.simulator.script "${String(script)}" is not one of ${scriptNames.join(', ')}`);
  }
  const answer = wish['answer'] ?? 500;
  if (!answers.includes(answer)) throw invalid(`extra.simulator.answer must be one of ${answers.join(', ')}`);
  return {
    script,
    afterMs: msOf(wish['after'], 'after'),
    answer: answer as Script['answer'],
    times: countOf(wish['times'], 'times'),
    message: textOr(wish, 'message', DEFAULT_FAILURE),
    inventory: textOr(wish, 'inventory', null),
    start: startOf(wish),
    status: statusOf(wish),
    data: answeredFault(wish, 'data', faultAnswers),
    body: bodyWishOf(wish['body']),
  };
};

/** The script of a node in a fleet: the same seed and name give the same script, in whatever order nodes start. */
export const fleetScript = (fleet: FleetOptions, nodeName: string): Script => {
  const roll = dice(`${fleet.seed}/${nodeName}`);
  const entries = scriptNames.map((name) => [name, Math.max(0, fleet.weights[name] ?? 0)] as const);
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = roll() * total;
  const chosen = entries.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'succeed';
  const afterMs = Math.round(fleet.afterMsMin + roll() * (fleet.afterMsMax - fleet.afterMsMin));
  return plain(chosen, chosen === 'refuse-abort' || chosen === 'ignore-abort' ? null : afterMs);
};
