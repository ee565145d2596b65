import { isObject, type JsonObject } from '../json';
import { invalid } from '../refusal';
import { dice } from './dice';

/**
 * How a simulated ramdisk, or the inspector towards it, behaves in one run:
 * `succeed` posts good data; `error` posts data whose run ends in error; `never` stays silent; `late` posts once the node's
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
] as const;
export type ScriptName = (typeof scriptNames)[number];

const faultAnswers = [400, 404, 409, 500, 503, 'none'] as const;

/** An answer in the place of the inspector's own. */
export interface ScriptedFault {
  /** Status of the answer, or `none` for a peer that does not answer. */
  readonly answer: (typeof faultAnswers)[number];
  /** How many times it is given before the inspector answers itself; null = always. */
  readonly times: number | null;
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
  /** `error`: text that the run ends with. */
  readonly message: string;
  /** Name of the inventory to post; null = chosen by the node's uuid. */
  readonly inventory: string | null;
  /** What starts are answered until one is taken; null: nothing scripted. */
  readonly start: ScriptedFault | null;
  /** What questions for the status of the run are answered; null: nothing scripted. */
  readonly status: ScriptedStatus | null;
}

export interface FleetOptions {
  readonly seed: string;
  /** Relative weights; a script that is not named is never chosen. */
  readonly weights: Readonly<Partial<Record<ScriptName, number>>>;
  readonly afterMsMin: number;
  readonly afterMsMax: number;
}

export const DEFAULT_FAILURE = 'the ramdisk reported a failing disk (scripted)';

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

const timesOf = (value: unknown, key: string): number | null => {
  const times = value ?? null;
  if (times === null || (Number.isSafeInteger(times) && (times as number) >= 1)) return times as number | null;
  throw invalid(`extra.simulator.${key} must be a whole number, 1 or more`);
};

const faultOf = (wish: JsonObject, key: 'start' | 'status'): ScriptedFault | null => {
  const fault = wish[key] ?? null;
  if (fault === null) return null;
  const answer = isObject(fault) ? faultAnswers.find((one) => one === (fault['answer'] ?? 500)) : undefined;
  if (!isObject(fault) || answer === undefined) {
    throw invalid(`extra.simulator.${key} must be an object whose answer is one of ${faultAnswers.join(', ')}`);
  }
  return { answer, times: timesOf(fault['times'], `${key}.times`) };
};

/** A delay alone leaves the answer to the inspector. */
const statusOf = (wish: JsonObject): ScriptedStatus | null => {
  const fault = faultOf(wish, 'status');
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
    times: timesOf(wish['times'], 'times'),
    message: textOr(wish, 'message', DEFAULT_FAILURE),
    inventory: textOr(wish, 'inventory', null),
    start: faultOf(wish, 'start'),
    status: statusOf(wish),
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
