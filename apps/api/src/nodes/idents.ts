/**
 * How nodes are addressed and named.
 * contract: node-api.md §2
 */
import { canonicalUuid, isUuidLike, since } from '@lib/contracts';
import { isDotSegment, isReservedNodeName, nodeSubCollections } from '@lib/domain';
import { ApiFault, badRequest, tooNew, unknownPath } from '../faults';

export { canonicalUuid, isUuidLike };

/** Unreserved characters of RFC 3986 (from 1.10). */
export const isLogicalName = (text: string): boolean => /^[A-Za-z0-9._~-]{1,255}$/.test(text);

/** A lower-case host name (1.5 to 1.9). */
function isHostLikeName(text: string): boolean {
  const [first = '', ...rest] = text.replace(/\.$/, '').split('.');
  if (text.length > 255 || !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(first)) return false;
  return rest.every((label) => /^[a-z0-9_-]{0,62}[a-z0-9]$/.test(label));
}

const legalName = (text: string, minor: number): boolean =>
  minor >= since.unreservedNames ? isLogicalName(text) : isHostLikeName(text);

/** Refuses an ident that no node can have, before any method is chosen. */
export function checkIdent(ident: string, minor: number): void {
  if (isUuidLike(ident)) return;
  if (nodeSubCollections.has(ident)) throw unknownPath();
  // Below 1.5 every name is simply not found; the rules for names begin with them.
  const legal = minor < since.names ? isLogicalName(ident) : legalName(ident, minor);
  if (!legal) throw new ApiFault(400, `Expected a logical name or UUID but received ${ident}.`, 'router');
}

/** A name in POST or PATCH. */
export function checkNewName(name: string, minor: number): void {
  if (minor < since.names) throw tooNew('the field name', since.names);
  if (isReservedNodeName(name)) throw badRequest(`Invalid name: "${name}" is reserved by the API.`);
  if (isUuidLike(name) || isDotSegment(name) || !legalName(name, minor))
    throw badRequest(`Invalid name: "${name}" is no valid logical name.`);
}
