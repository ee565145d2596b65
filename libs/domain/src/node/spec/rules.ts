import { decide, emptyStream, evolve } from '..';
import type { Context, NodeCommand, Node, NodeEvent, NodeStream, Policy } from '..';

export const HOST = 'conductor-1';

/** Settings as they ship, with a timeout that is easy to count with: 30 minutes. */
export const policy: Policy = {
  inspectWaitTimeoutSeconds: 1800,
  callbackTimeoutSeconds: { 'wait call-back': 1800, 'clean wait': 1800, 'rescue wait': 1800, 'service wait': 1800 },
  waitTimeouts: true,
  inspectorPowerOff: true,
  fastTrack: false,
  inspectingReturn: 'warn',
  allowDeletingAvailable: true,
  allowProvisioningInMaintenance: true,
  automatedClean: true,
  peerLimitMs: 30_000,
};

/** When a decision is made, epoch ms, and with what settings. */
export type When = number | ({ readonly at: number } & Partial<Policy>);

export function contextAt(when: When): Context {
  if (typeof when === 'number') return { now: when, host: HOST, policy };
  const { at, ...settings } = when;
  return { now: at, host: HOST, policy: { ...policy, ...settings } };
}

export const nodeDecider = { initial: emptyStream, decide, evolve };

export type Step = readonly [NodeCommand, When];

/**
 * A past, and the events that a run of commands adds to it. A step that decides nothing, or is refused, is a mistake of
 * the spec.
 */
export function continued(past: readonly NodeEvent[], ...steps: readonly Step[]): readonly NodeEvent[] {
  let stream: NodeStream = past.reduce(evolve, emptyStream);
  const added = steps.flatMap(([command, when], index) => {
    const events = decide(command, stream, contextAt(when));
    if (events.length === 0) throw new Error(`step ${index} (${command.type}) decides nothing`);
    stream = events.reduce(evolve, stream);
    return [...events];
  });
  return [...past, ...added];
}

export const story = (...steps: readonly Step[]): readonly NodeEvent[] => continued([], ...steps);

export const streamAfter = (past: readonly NodeEvent[]): NodeStream => past.reduce(evolve, emptyStream);

/** The node that these events make. */
export function nodeAfter(past: readonly NodeEvent[]): Node {
  const { node } = streamAfter(past);
  if (!node) throw new Error('there is no node after these events');
  return node;
}
