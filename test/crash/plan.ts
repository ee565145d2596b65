import { randomFrom } from '../race/plan';

/** What is killed. The inspector's simulator stands for somebody else's service and lives on. */
export const VICTIMS = ['conductor', 'scheduler', 'api', 'broker'] as const;
export type Victim = (typeof VICTIMS)[number];

/** How a machine's inspection is meant to end, if no other end comes first. */
export const FATES = ['finish', 'fail', 'abort', 'timeout', 'delete'] as const;
export type Fate = (typeof FATES)[number];

export interface Kill {
  readonly victim: Victim;
  /** From the beginning of the round, or from its last start if that is later. */
  readonly atMs: number;
  /** Between its end and its next start. */
  readonly downMs: number;
}

export interface PlannedNode {
  readonly number: number;
  readonly fate: Fate;
  readonly inspectInterface: 'inspector' | 'agent';
  /** When its first request is sent. */
  readonly startMs: number;
  readonly timeoutS: number;
  /** When its ramdisk posts, after it booted. */
  readonly ramdiskAfterS: number;
  /** `abort` and `delete`: after the inspection was accepted. */
  readonly actAfterMs: number;
}

export interface RoundPlan {
  readonly seed: number;
  readonly lengthMs: number;
  readonly nodes: readonly PlannedNode[];
  readonly kills: readonly Kill[];
}

export interface RoundSize {
  readonly nodes: number;
  /** How long requests begin and victims fall; the rest of the round is what they leave to be done. */
  readonly lengthMs: number;
  readonly kills: number;
}

const DOWN_MS = [50, 1_500] as const;

/** The plan of a round: a pure function of its seed and size. Every kind of victim falls once before one falls again. */
export const planRound = (seed: number, size: RoundSize): RoundPlan => {
  const random = randomFrom(seed);
  const between = (from: number, to: number): number => Math.round(from + random() * (to - from));
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const node = (number: number): PlannedNode => {
    const fate = oneOf(FATES);
    return {
      number,
      fate,
      inspectInterface: random() < 0.7 ? 'inspector' : 'agent',
      startMs: between(0, size.lengthMs * 0.7),
      // Whatever does not come to its own end comes to this one.
      timeoutS: fate === 'timeout' ? between(1, 4) : between(6, 10),
      ramdiskAfterS: between(1, 20) / 10,
      // Some at once, while the inspection still starts, others in the middle of the wait.
      actAfterMs: random() < 0.3 ? 0 : between(0, 1_500),
    };
  };
  const victims: Victim[] = [];
  while (victims.length < size.kills) {
    const left = [...VICTIMS];
    while (left.length > 0) victims.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return {
    seed,
    lengthMs: size.lengthMs,
    nodes: Array.from({ length: size.nodes }, (_, number) => node(number)),
    kills: victims
      .slice(0, size.kills)
      .map((victim) => ({ victim, atMs: between(200, size.lengthMs), downMs: between(...DOWN_MS) }))
      .sort((a, b) => a.atMs - b.atMs),
  };
};

/** The seed of a round of a campaign. */
export const roundSeed = (campaign: number, round: number): number =>
  Math.floor(randomFrom(campaign ^ Math.imul(round + 1, 0x9e3779b1))() * 2 ** 31);

/** Digits of a uuid that follow from the seed, so that a plan names the same machines again. */
export const uuidsFrom = (seed: number): (() => string) => {
  const random = randomFrom(seed ^ 0x5bd1e995);
  const hex = (digits: number): string =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(6)}${hex(6)}`;
};
