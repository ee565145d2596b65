/**
 * Which version a request is answered in.
 * contract: errors-and-negotiation.md §1
 */
import { MINOR_MAX, MINOR_MIN } from '@lib/contracts';

export const IRONIC_HEADER = 'x-openstack-ironic-api-version';
export const STANDARD_HEADER = 'openstack-api-version';

export type Negotiated =
  | { readonly outcome: 'agreed'; readonly minor: number; /** A header named it. */ readonly explicit: boolean }
  /** Well formed and not served: 406 with the range. */
  | { readonly outcome: 'unsupported'; readonly asked: string }
  /** Not a version at all: 406 without any version header. */
  | { readonly outcome: 'unparsable'; readonly asked: string };

/** Headers of a request, names in lower case. */
export type VersionHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function negotiate(headers: VersionHeaders): Negotiated {
  const asked = standardVersion(headers[STANDARD_HEADER]) ?? lastOf(headers[IRONIC_HEADER]);
  if (asked === '') return { outcome: 'agreed', minor: MINOR_MIN, explicit: false };
  if (asked.toLowerCase() === 'latest') return { outcome: 'agreed', minor: MINOR_MAX, explicit: true };
  const parts = /^(-?\d+)\.(-?\d+)$/.exec(asked);
  if (!parts) return { outcome: 'unparsable', asked };
  const [major, minor] = [Number(parts[1]), Number(parts[2])];
  const served = major === 1 && minor >= MINOR_MIN && minor <= MINOR_MAX;
  return served ? { outcome: 'agreed', minor, explicit: true } : { outcome: 'unsupported', asked };
}

/** `baremetal 1.39` among the services of the standard header; undefined when it names no version of ours. */
function standardVersion(header: string | string[] | undefined): string | undefined {
  const ours = entriesOf(header).flatMap((entry) => {
    const words = entry.split(/\s+/);
    return words.length === 2 && words[0]?.toLowerCase() === 'baremetal' ? [words[1] ?? ''] : [];
  });
  return ours.at(-1);
}

const lastOf = (header: string | string[] | undefined): string => entriesOf(header).at(-1) ?? '';

/** `1,39` is no list of versions: only a comma before something that looks like a version, or a blank, separates. */
function entriesOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return text.split(/,(?=\s|[^,]*\.)/).map((entry) => entry.trim());
}
