import type { Effect } from './effects';
import type { Node } from './state';

/** The node with more work to do. */
export const opened = (node: Node, ...effects: readonly Effect[]): Node => ({
  ...node,
  effects: [...node.effects, ...effects],
});

/** The node after the outcome of an intent: its peer is not waited for any more. */
export const intentEnded = (node: Node, effect: number): Node => ({
  ...closed(node, effect),
  intent: null,
  deadlines: node.deadlines.filter((deadline) => deadline.effect !== effect),
});

/** The node after an effect's outcome: what that effect held is free. */
export const closed = (node: Node, n: number | null): Node =>
  n === null
    ? node
    : {
        ...node,
        effects: node.effects.filter((effect) => effect.n !== n),
        reservation: node.reservation?.effect === n ? null : node.reservation,
      };
