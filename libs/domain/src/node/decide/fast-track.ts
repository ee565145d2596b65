import type { Context } from '../commands';
import type { JsonObject } from '../fields';
import type { Node } from '../state';

const truthy = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^(1|t|true|on|y|yes)$/i.test(value));

/** `driver_info.fast_track` of the node, else `[deploy] fast_track`. */
export const isFastTrack = (node: Node, fallback: boolean): boolean =>
  wantsFastTrack(node.fields.driver_info, fallback);

/** For the end of an inspection that found its data: nobody powers the machine off, so its agent lives on. */
export const agentKept = (node: Node, { policy }: Context): { readonly keepsAgent?: true } =>
  isFastTrack(node, policy.fastTrack) ? { keepsAgent: true } : {};

/** For the end of other work: with it the boot of the agent ends too, if there was one (contract: errors-and-negotiation.md §10). */
export const agentEnds = (node: Node, { policy }: Context): { readonly forgetsAgent?: true } =>
  node.agentTokenDigest !== null && !isFastTrack(node, policy.fastTrack) ? { forgetsAgent: true } : {};

export function wantsFastTrack(driverInfo: JsonObject, fallback: boolean): boolean {
  const own = driverInfo['fast_track'];
  return own === undefined || own === null ? fallback : truthy(own);
}
