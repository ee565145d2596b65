import type { Chance, KeyStore } from '@lib/ports';
import { IV_BYTES, KEY_BYTES, decrypt, encrypt, type Ciphertext } from './cipher';

/** Id of a key that seals nothing: only whether it can be unwrapped is of interest. */
const PROBE = 'probe';

const WRONG =
  'The master key is not the one that the secrets of this log are sealed with: put back the old master.key, or FERROLOG_MASTER_KEY.';

/**
 * Rejects with one sentence when the secrets beside the log were sealed under another master key: with it no password
 * could be opened, and new ones would be sealed under a key that the old ones do not share. The first start leaves the probe.
 */
export async function checkMasterKey(
  masterKey: Uint8Array,
  keys: KeyStore,
  chance: Pick<Chance, 'bytes'>,
): Promise<void> {
  const known = (await keys.get(PROBE)) ?? (await leaveProbe(masterKey, keys, chance));
  try {
    decrypt(masterKey, `key ${PROBE}`, JSON.parse(known) as Ciphertext);
  } catch (error) {
    throw new Error(WRONG, { cause: error });
  }
}

async function leaveProbe(masterKey: Uint8Array, keys: KeyStore, chance: Pick<Chance, 'bytes'>): Promise<string> {
  const probe = JSON.stringify(encrypt(masterKey, chance.bytes(IV_BYTES), `key ${PROBE}`, chance.bytes(KEY_BYTES)));
  try {
    await keys.put(PROBE, probe);
    return probe;
  } catch (error) {
    // Another conductor was quicker.
    const theirs = await keys.get(PROBE);
    if (theirs === null) throw error;
    return theirs;
  }
}
