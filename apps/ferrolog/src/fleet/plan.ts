import { fleetScript, type Script, type ScriptName } from '@lib/domain/introspection';
import { expectationOf, type Expectation } from '../endings';

export interface FleetWishes {
  readonly nodes: number;
  readonly weights: Readonly<Partial<Record<ScriptName, number>>>;
  /** The same seed deals the same scripts in the same order. */
  readonly seed: string;
  /** When a ramdisk posts its data, from its start. */
  readonly afterSeconds: number;
  /** Each node's own deadline; 0: the server's. */
  readonly timeoutSeconds: number;
  /** Tells this fleet's names and MACs from those of another: four hex digits. */
  readonly tag: string;
  readonly driver: string;
  readonly inspectInterface: string;
}

export interface FleetNode {
  readonly name: string;
  readonly body: object;
  readonly ports: readonly object[];
  readonly script: Script;
  readonly expected: Expectation;
}

/** The fleet, node by node. Nobody aborts: `refuse-abort` and `ignore-abort` are silent until the deadline. */
export function fleetOf(wishes: FleetWishes): FleetNode[] {
  const afterMs = wishes.afterSeconds * 1000;
  const fleet = { seed: wishes.seed, weights: wishes.weights, afterMsMin: afterMs, afterMsMax: afterMs };
  return Array.from({ length: wishes.nodes }, (_, at) => {
    const number = String(at + 1).padStart(4, '0');
    const script = fleetScript(fleet, number);
    const name = `fleet-${wishes.tag}-${number}`;
    return {
      name,
      body: {
        name,
        driver: wishes.driver,
        inspect_interface: wishes.inspectInterface,
        driver_info: wishes.timeoutSeconds > 0 ? { inspect_wait_timeout: wishes.timeoutSeconds } : {},
        extra: {
          simulator: { script: script.script, ...(script.afterMs === null ? {} : { after: script.afterMs / 1000 }) },
        },
      },
      ports: [{ address: macOf(wishes.tag, at) }],
      script,
      expected: expectationOf(script, { timeoutMs: wishes.timeoutSeconds * 1000, abortMs: null }),
    };
  });
}

/** Locally administered, unicast: `02:<tag>:<number>`. */
function macOf(tag: string, at: number): string {
  const digits = `02${tag}${at.toString(16).padStart(6, '0')}`;
  return (digits.match(/../g) ?? []).join(':');
}
