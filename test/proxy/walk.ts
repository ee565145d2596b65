import type { Answer } from '../stack';
import type { SecureClient } from './secure-client';

export interface Walked {
  /** Addresses that were followed, all of them as given. */
  readonly followed: readonly string[];
  /** Addresses that lead out of the base. */
  readonly foreign: readonly string[];
  /** What did not answer 200, with its status. */
  readonly refused: Readonly<Record<string, number>>;
}

const ADDRESSES_MAX = 2_000;

/** Follows every link and every `next` from an address on, as they are given, until there are no new ones. */
export async function walk(client: SecureClient, base: string, starts: readonly string[]): Promise<Walked> {
  const left = [...starts];
  const followed = new Set<string>();
  const foreign = new Set<string>();
  const refused: Record<string, number> = {};
  for (let address = left.shift(); address !== undefined; address = left.shift()) {
    if (followed.has(address)) continue;
    if (!address.startsWith(`${base}/`)) {
      foreign.add(address);
      continue;
    }
    followed.add(address);
    if (followed.size > ADDRESSES_MAX) throw new Error(`more than ${ADDRESSES_MAX} addresses`);
    const answer = await client.call('GET', address);
    if (answer.status !== 200) refused[address] = answer.status;
    left.push(...addressesIn(answer.json));
  }
  return { followed: [...followed], foreign: [...foreign], refused };
}

/** Every `href` and `next` in an answer, wherever it stands. */
export function addressesIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(addressesIn);
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    (name === 'href' || name === 'next') && typeof value === 'string' ? [value] : addressesIn(value),
  );
}

export const locationOf = ({ headers }: Answer): string => headers['location'] ?? 'none';
