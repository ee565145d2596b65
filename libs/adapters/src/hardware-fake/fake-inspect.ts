import { inspectFacts } from '@lib/domain';
import type { Chance, Clock, InspectInterface } from '@lib/ports';
import { pause } from '../bounded-call';

/** `[fake] inspect_delay`; null or equal bounds mean no spread. */
export interface InspectDelay {
  readonly firstSeconds: number;
  readonly secondSeconds: number | null;
}

/** Triangular between the two, most often near the first (contract: inspection.md §3.3). */
function drawnMs({ firstSeconds, secondSeconds }: InspectDelay, chance: Chance): number {
  if (secondSeconds === null || secondSeconds === firstSeconds) return firstSeconds * 1000;
  return (secondSeconds - (secondSeconds - firstSeconds) * Math.sqrt(1 - chance.random())) * 1000;
}

/** Takes its time, touches nothing, and is done: a synchronous interface without abort. */
export const fakeInspect = (delay: InspectDelay, clock: Clock, chance: Chance): InspectInterface => ({
  facts: inspectFacts('fake'),
  validate: () => null,
  inspect: async (_machine, call) => {
    await pause(drawnMs(delay, chance), clock, call.signal);
    return { returned: 'MANAGEABLE' };
  },
});
