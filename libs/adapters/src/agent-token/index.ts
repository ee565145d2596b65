import { createHash } from 'node:crypto';
import type { Chance } from '@lib/ports';

const TOKEN_BYTES = 32;

/** A token for an agent, 43 characters, and what everybody but the agent learns of it. */
export function newToken(chance: Chance): { readonly token: string; readonly digest: string } {
  const token = Buffer.from(chance.bytes(TOKEN_BYTES)).toString('base64url');
  return { token, digest: tokenDigest(token) };
}

/** SHA-256 is enough for 256 bits of chance: there is nothing to guess. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');
