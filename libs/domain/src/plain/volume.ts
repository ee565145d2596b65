import { unreserved } from '../node/decide/guards';
import { Refusal } from '../refusal';
import type { ProvisionState } from '../states';
import type { PlainContext, PlainRules } from './rules';

/** States in which a volume record may go while the machine runs (contract: other-resources.md §13). */
const idle: ReadonlySet<ProvisionState> = new Set(['manageable', 'enroll', 'adopt failed']);

function poweredOff({ node }: PlainContext): boolean {
  return node?.powerState === 'power off';
}

function assertOff(context: PlainContext): void {
  if (context.node) unreserved(context.node);
  if (poweredOff(context)) return;
  throw new Refusal('INVALID_STATE', `Node ${context.node?.uuid} must be powered off for this.`);
}

/** Volume connectors and targets (contract: other-resources.md §13). */
export const volumeRules: PlainRules = {
  create: (document) => document,
  change(_, after, context) {
    assertOff(context);
    return after;
  },
  remove(_, context) {
    if (context.node && idle.has(context.node.provisionState)) return unreserved(context.node);
    assertOff(context);
  },
};
