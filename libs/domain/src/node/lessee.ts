import type { JsonObject } from './fields';
import type { Node } from './state';

const MARK = 'automatic_lessee';

/** The node's own record that a deployment, and nobody else, made somebody its lessee. */
export const leasedInfo = (info: JsonObject): JsonObject => ({ ...info, [MARK]: true });

export const isLeased = ({ driverInternalInfo }: Node): boolean => driverInternalInfo[MARK] === true;

/** Somebody else has said who is lessee, or the instance is gone. */
export function unleasedInfo({ [MARK]: _mark, ...info }: JsonObject): JsonObject {
  return info;
}
