import { Refusal } from '../refusal';

const uuidLike = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** Unreserved characters of RFC 3986, and no UUID (contract: node-api.md §2). */
export function checkLogicalName(name: unknown): void {
  if (typeof name === 'string' && /^[A-Za-z0-9._~-]{1,255}$/.test(name) && !uuidLike.test(name)) return;
  throw new Refusal('INVALID_PARAMETER', `Invalid name: ${JSON.stringify(name)} is no valid logical name.`);
}

/** An own trait, or one in the form of the standard ones (contract: node-api.md §15). */
export const isTrait = (name: unknown): name is string => typeof name === 'string' && /^[A-Z0-9_]{1,255}$/.test(name);

export function checkTraitName(name: unknown): void {
  if (isTrait(name)) return;
  throw new Refusal('INVALID_PARAMETER', `Invalid name: ${JSON.stringify(name)} is no valid trait.`);
}
