/** What is fired at one inspection. */
export type ShotName = 'abort' | 'callback' | 'remove' | 'maintenance';

export interface Shot {
  readonly what: ShotName;
  /** Milliseconds from the round's zero: its deadline, where it has one. */
  readonly atMs: number;
}

export interface Round {
  readonly number: number;
  /** Seconds until the deadline; 0 = the deadline takes no part. */
  readonly timeoutS: number;
  /** In the order of firing. */
  readonly shots: readonly Shot[];
}

/** Deadlines lie far enough ahead for a slow machine to get the node into `inspect wait` and the shots ready. */
const TIMEOUT_S = 3;
/** The inspector tells nobody that it finished: the conductor asks once a second. */
export const STATUS_PERIOD_MS = 1000;
const SPREAD_MS = 12;

/** A small generator (mulberry32): the same numbers, 0 <= n < 1, for the same seed. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const LINEUPS: ReadonlyArray<{ readonly timeout: boolean; readonly shots: readonly ShotName[] }> = [
  { timeout: true, shots: ['abort', 'abort', 'callback', 'remove'] },
  { timeout: true, shots: ['abort', 'callback'] },
  { timeout: true, shots: ['abort'] },
  { timeout: true, shots: ['callback'] },
  { timeout: true, shots: ['remove'] },
  { timeout: true, shots: ['maintenance', 'abort'] },
  { timeout: false, shots: ['abort', 'abort'] },
  { timeout: false, shots: ['abort', 'callback'] },
  { timeout: false, shots: ['abort', 'remove'] },
  { timeout: false, shots: ['callback', 'remove'] },
];

/** The plan of one round: a pure function of the seed and the round's number. */
export const planRound = (seed: number, number: number): Round => {
  const random = randomFrom(seed ^ Math.imul(number + 1, 0x9e3779b1));
  const lineup = LINEUPS[Math.floor(random() * LINEUPS.length)] ?? { timeout: true, shots: ['abort'] as const };
  const between = (from: number, to: number): number => Math.round(from + random() * (to - from));
  const shots = lineup.shots.map((what) => ({
    what,
    // Half of the callbacks come early enough for the status poll to find their result around zero.
    atMs: what === 'callback' && random() < 0.5 ? between(-1.2 * STATUS_PERIOD_MS, 0) : between(-SPREAD_MS, SPREAD_MS),
  }));
  return { number, timeoutS: lineup.timeout ? TIMEOUT_S : 0, shots: shots.sort((a, b) => a.atMs - b.atMs) };
};
