import { subjects } from '@lib/contracts';
import { BusError } from '@lib/ports';
import type { BusSubscription, Clock, ConductorRow, Instant, Liveness, MessageBus } from '@lib/ports';

export interface StandingDeps {
  readonly liveness: Liveness;
  readonly bus: MessageBus;
  readonly prefix: string;
  readonly clock: Clock;
  readonly id: string;
  readonly hostname: string;
  /** Other conductors that were silent for longer are offline. */
  readonly heartbeatTimeoutMs: number;
  /** Nobody else can write this log. */
  readonly soleWriter: boolean;
}

/** Who else is there when a conductor starts. */
export interface Standing {
  /** Certain that no other conductor is at work. */
  readonly alone: boolean;
  /** Processes that have ended and whose place this one takes. */
  readonly predecessors: readonly ConductorRow[];
  /** When the first conductor of this host name came. */
  readonly since: Instant;
}

const ANSWER_MS_MAX = 1_000;
const ALIVE = new Uint8Array([1]);

/** Answers for this process, from its first moment to its last. */
export const tellAlive = (bus: MessageBus, prefix: string, id: string): Promise<BusSubscription> =>
  bus.serve(
    subjects.alive(prefix, id),
    id,
    async () => ALIVE,
    () => undefined,
  );

/**
 * A conductor under this one's host name, however that is spelt, has ended when nobody answers for its id: a broker
 * forgets a killed process with its connection, but not one that is stopped or slow. Such a predecessor's work is taken
 * over at once. Work of other hosts is left to its lease: who does not answer may have lost no more than the bus.
 */
export async function standingOf(deps: StandingDeps): Promise<Standing> {
  const { liveness, clock, id, hostname, soleWriter } = deps;
  const others = (await liveness.conductors()).filter((row) => row.id !== id);
  const looked = await Promise.all(
    others.map(async (row) => ({ row, isThere: !soleWriter && (await isThere(row, deps)) })),
  );
  const here = (row: ConductorRow): boolean => row.hostname.toLowerCase() === hostname.toLowerCase();
  const predecessors = looked.filter(({ row, isThere }) => !isThere && (soleWriter || here(row))).map(({ row }) => row);
  const times = predecessors.filter((row) => row.hostname === hostname).map(({ createdAt }) => createdAt);
  return { alone: !looked.some((one) => one.isThere), predecessors, since: Math.min(clock.now(), ...times) };
}

async function isThere(row: ConductorRow, deps: StandingDeps): Promise<boolean> {
  const isSilent = deps.clock.now() - row.updatedAt > deps.heartbeatTimeoutMs;
  if (row.hostname.toLowerCase() === deps.hostname.toLowerCase()) return answers(row, deps);
  if (isSilent) return false;
  return row.online || answers(row, deps);
}

async function answers({ id }: ConductorRow, { bus, prefix }: StandingDeps): Promise<boolean> {
  try {
    await bus.request(subjects.alive(prefix, id), ALIVE, { timeoutMs: ANSWER_MS_MAX });
    return true;
  } catch (error) {
    // Whatever else it is does not prove that the process has ended.
    return !(error instanceof BusError && error.code === 'NO_RESPONDERS');
  }
}
