/**
 * Entity tags: `"<uuid>.<version>.<form>"`, strong (docs/adr, "An entity tag names a version and a form"). The version is that
 * of the resource's stream; the form tells representations of one version apart: API version, fields, public address.
 */
import { createHash } from 'node:crypto';
import { badRequest } from '../faults';

const FORM_BYTES = 9;

export interface EntityTag {
  readonly weak: boolean;
  /** What stands between the quotes. */
  readonly opaque: string;
}

/** A list of tags, or `*`: any. */
export type Tags = readonly EntityTag[] | '*';

export function entityTag(uuid: string, version: number, body: string): string {
  const form = createHash('sha256').update(body, 'utf8').digest().subarray(0, FORM_BYTES).toString('base64url');
  return `"${uuid}.${version}.${form}"`;
}

/** RFC 9110 §8.8.3, a list of them after §5.6.1; empty elements count for nothing. */
const TAG = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(?:,|$)/y;

/** Null: the header is not there. Anything that is no list of tags is refused. */
export function tagsIn(header: string | undefined, name: string): Tags | null {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  TAG.lastIndex = 0;
  while (TAG.lastIndex < header.length) {
    const found = TAG.exec(header);
    if (!found) throw malformed(header, name);
    if (found[2] !== undefined) tags.push({ weak: found[1] !== undefined, opaque: found[2] });
  }
  if (tags.length === 0) throw malformed(header, name);
  return tags;
}

const malformed = (value: string, name: string) =>
  badRequest(`Invalid value for ${name}: '${value}'. It is * or entity tags in double quotes, separated by commas.`);

/**
 * The versions of a resource that the tags stand for. Weak ones stand for none (RFC 9110 §13.1.1), nor do those of other
 * resources. Any form of a version will do: whoever has read the resource in another API version has seen the same state.
 */
export function versionsIn(tags: readonly EntityTag[], uuid: string): number[] {
  const ours = new RegExp(`^${uuid.toLowerCase().replace(/[^0-9a-z-]/g, '')}\\.(\\d{1,15})\\.[\\w-]+$`);
  return tags
    .filter(({ weak }) => !weak)
    .map(({ opaque }) => ours.exec(opaque)?.[1])
    .filter((version) => version !== undefined)
    .map(Number);
}

/** Weak comparison, for If-None-Match (RFC 9110 §13.1.2). */
export const isAmong = (tag: string, tags: Tags): boolean =>
  tags === '*' || tags.some(({ opaque }) => `"${opaque}"` === tag);
