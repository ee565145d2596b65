import { DEFAULT_FAILURE, type Script } from '@lib/domain/introspection';

export type EndingName = 'inspected' | 'failed by the ramdisk' | 'timed out' | 'aborted';

/** How an inspection of a scripted node is to end. */
export interface Expectation {
  readonly ending: EndingName;
  readonly state: 'manageable' | 'inspect failed';
  /** Words that last_error holds, in any case; null: it is empty. */
  readonly error: string | null;
  readonly power: 'power on' | 'power off';
  readonly inventory: boolean;
  /** Statuses that the inspector answers the ramdisk with, in order. */
  readonly callbacks: readonly number[];
}

/** What happens to a node beside its script. */
export interface Circumstances {
  /** Its deadline, from the start of the inspection; 0: none. */
  readonly timeoutMs: number;
  /** When somebody aborts, from the start of the wait; null: nobody does. */
  readonly abortMs: number | null;
}

/** The ramdisk's delay when its script names none. */
const DEFAULT_AFTER_MS = 1000;
const SLOW_AFTER_MS = 30_000;

const inspected: Expectation = {
  ending: 'inspected',
  state: 'manageable',
  error: null,
  power: 'power off',
  inventory: true,
  callbacks: [200],
};

/** The inspector is not told of a timeout, so it still takes what comes late; the node's state stays (inspection.md §8). */
const timedOut = (callbacks: readonly number[]): Expectation => ({
  ending: 'timed out',
  state: 'inspect failed',
  error: 'timeout reached',
  power: 'power off',
  inventory: false,
  callbacks,
});

const aborted = (callbacks: readonly number[]): Expectation => ({
  ...timedOut(callbacks),
  ending: 'aborted',
  error: 'aborted',
});

/** A failed introspection is nobody's reason to switch the machine off (contract: inspection.md §4.4). */
const failed = (message: string): Expectation => ({
  ending: 'failed by the ramdisk',
  state: 'inspect failed',
  error: message,
  power: 'power on',
  inventory: false,
  callbacks: [400],
});

/** Scripts: apps/inspector-simulator/README.md. */
export function expectationOf(script: Script, circumstances: Circumstances): Expectation {
  const { abortMs } = circumstances;
  const lasts = circumstances.timeoutMs === 0 ? Infinity : circumstances.timeoutMs;
  const after = script.afterMs ?? (script.script === 'slow' ? SLOW_AFTER_MS : DEFAULT_AFTER_MS);
  const isAborted = abortMs !== null && abortMs < lasts;
  const isCutShort = isAborted && abortMs < after;
  switch (script.script) {
    case 'succeed':
    case 'slow':
    case 'twice':
    case 'error': {
      const posts = script.script === 'twice' ? 2 : 1;
      if (isCutShort) return aborted(Array<number>(posts).fill(400));
      if (after >= lasts) return timedOut(posts === 2 ? [200, 400] : [script.script === 'error' ? 400 : 200]);
      if (script.script === 'error') return failed(script.message || DEFAULT_FAILURE);
      return posts === 2 ? { ...inspected, callbacks: [200, 400] } : inspected;
    }
    case 'late':
    case 'after-abort':
      return isAborted ? aborted([400]) : timedOut([200]);
    case 'malformed':
    case 'ramdisk-error':
    case 'early':
      return isAborted ? aborted([400]) : timedOut([400]);
    case 'cache-lost':
      // An inspector that knows nothing of the node has nothing to power off.
      return isAborted ? { ...aborted([400]), power: isCutShort ? 'power off' : 'power on' } : timedOut([400]);
    case 'never':
    case 'crash':
      return isAborted ? aborted([]) : timedOut([]);
    case 'ignore-abort':
      return isAborted ? aborted(script.afterMs === null ? [] : [200]) : timedOut([]);
    case 'refuse-abort':
      if (!isAborted || script.afterMs === null) return timedOut([]);
      return abortMs + after < lasts ? inspected : timedOut([200]);
    default:
      return script.script satisfies never;
  }
}
