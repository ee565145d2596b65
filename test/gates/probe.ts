import type { Bed } from './bed';
import { around } from './facts';
import { formOf } from './shape';
import type { Seen } from './http';
import type { Things } from './things';

/** What a version brings: how it is asked for, and what the answers are before it and from it on, in few words. */
export interface Probe {
  readonly name: string;
  readonly gate: number;
  readonly below: string;
  readonly from: string;
  readonly ask: (bed: Bed, things: Things, minor: number) => Promise<string>;
}

/** `200`, `404 router`; a 406 in the form of resources has to name the version that is needed. */
export function verdict(seen: Seen, gate: number): string {
  if (seen.status < 400) return String(seen.status);
  const named = seen.status !== 406 || JSON.stringify(seen.fault).includes(`1.${gate}`);
  return `${seen.status} ${formOf(seen)}${named ? '' : ` that does not name 1.${gate}`}`;
}

/** `200 shown` or `200 hidden`. */
export const shown = (seen: Seen, there: boolean): string =>
  seen.status < 400 ? `${seen.status} ${there ? 'shown' : 'hidden'}` : `${seen.status}`;

/** One test for each: asked at the versions around the gate. */
export function testEach(title: string, probes: readonly Probe[], place: () => { bed: Bed; things: Things }): void {
  describe(title, () => {
    it.each(probes.map((probe) => [probe.gate, probe.name, probe] as const))('1.%d %s', async (gate, _, probe) => {
      const { bed, things } = place();
      const answers: string[] = [];
      for (const minor of around(gate)) answers.push(`1.${minor}: ${await probe.ask(bed, things, minor)}`);
      const wanted = around(gate).map((minor) => `1.${minor}: ${minor < gate ? probe.below : probe.from}`);
      expect(answers).toEqual(wanted);
    });
  });
}
