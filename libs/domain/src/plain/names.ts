import { Refusal } from '../refusal';

const uuidLike = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** What every client takes out of a path before it sends it (RFC 3986, section 5.2.4): nothing is found by such a name. */
export const isDotSegment = (name: string): boolean => name === '.' || name === '..';

/** Unreserved characters of RFC 3986, no UUID and no part of a relative path (contract: node-api.md §2). */
export function checkLogicalName(name: unknown): void {
  const isLegal = (text: string): boolean =>
    /^[A-Za-z0-9._~-]{1,255}$/.test(text) && !uuidLike.test(text) && !isDotSegment(text);
  if (typeof name === 'string' && isLegal(name)) return;
  throw new Refusal('INVALID_PARAMETER', `Invalid name: ${JSON.stringify(name)} is no valid logical name.`);
}

/** The namespaces of the standard traits (os-traits 2.9). A list of their names would refuse those of the next release. */
const TRAIT = /^(CUSTOM|COMPUTE|HW|MISC|OWNER|STORAGE)_[A-Z0-9_]+$/;
const TRAIT_CHARS_MAX = 255;

/** An own trait, or one that stands in a standard namespace (contract: node-api.md §15). */
export const isTrait = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= TRAIT_CHARS_MAX && TRAIT.test(name);

export function checkTraitName(name: unknown): void {
  if (isTrait(name)) return;
  throw new Refusal('INVALID_PARAMETER', `Invalid name: ${JSON.stringify(name)} is no valid trait.`);
}

/** Collections below a node: no node can be addressed by their names. */
export const nodeSubCollections: ReadonlySet<string> = new Set([
  'ports',
  'portgroups',
  'vifs',
  'volume',
  'traits',
  'bios',
  'allocation',
  'history',
  'inventory',
  'children',
  'firmware',
  'vmedia',
]);

const reservedNames: ReadonlySet<string> = new Set([
  'maintenance',
  'management',
  'states',
  'vendor_passthru',
  'detail',
  'validate',
]);

/** Whether the API itself answers under this name where a node's would stand. */
export const isReservedNodeName = (name: string): boolean => reservedNames.has(name) || nodeSubCollections.has(name);

/** A name that a node may have in the newest version of the API (contract: node-api.md §2). */
export function checkNodeName(name: string): void {
  checkLogicalName(name);
  if (isReservedNodeName(name))
    throw new Refusal('INVALID_PARAMETER', `Invalid name: "${name}" is reserved by the API.`);
}
