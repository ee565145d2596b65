import { randomBytes, randomUUID } from 'node:crypto';
import type { Chance } from '@lib/ports';

const FRACTION_BITS = 53;

/** Chance from the operating system's cryptographic generator. */
export const systemChance: Chance = {
  uuid: () => randomUUID(),
  bytes: (length) => new Uint8Array(randomBytes(length)),
  random: () => {
    // The upper 53 bits of 8 random bytes: every double in [0, 1) that is a multiple of 2^-53, all equally likely.
    const bits = randomBytes(8).readBigUInt64BE() >> BigInt(64 - FRACTION_BITS);
    return Number(bits) / 2 ** FRACTION_BITS;
  },
};
