import type { Node } from '../state';

const truthy = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^(1|t|true|on|y|yes)$/i.test(value));

/** `driver_info.fast_track` of the node, else `[deploy] fast_track`. */
export function isFastTrack(node: Node, fallback: boolean): boolean {
  const own = node.fields.driver_info['fast_track'];
  return own === undefined || own === null ? fallback : truthy(own);
}
