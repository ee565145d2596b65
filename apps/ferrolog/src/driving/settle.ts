import { setTimeout as pause } from 'node:timers/promises';
import type { BareMetal } from '../bare-metal';
import { differences, type Expectation, type Outcome, outcomeOf } from '../endings';

export interface Settled {
  readonly got: Outcome;
  /** Empty: as scripted. */
  readonly differences: readonly string[];
}

const POLL_MS = 250;

/** An ending comes before its last consequence (the inspector powers off behind its answer): that gets `graceMs` to come. */
export async function settle(
  api: BareMetal,
  uuid: string,
  expected: Expectation,
  graceMs: number,
  signal: AbortSignal,
): Promise<Settled> {
  const since = performance.now();
  for (;;) {
    const got = await outcomeOf(api, uuid);
    const wrong = differences(expected, got);
    if (wrong.length === 0 || performance.now() - since > graceMs) return { got, differences: wrong };
    await pause(POLL_MS, undefined, { signal });
  }
}
