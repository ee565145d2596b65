import type { Chance, KeyStore, Sealed, SecretBox } from '@lib/ports';
import { IV_BYTES, KEY_BYTES, decrypt, encrypt, type Ciphertext } from './cipher';

export interface SecretBoxOptions {
  /** 32 bytes that wrap the stored keys. */
  readonly masterKey: Uint8Array;
  readonly keys: KeyStore;
  readonly chance: Pick<Chance, 'uuid' | 'bytes'>;
}

/**
 * A secret box over a key store. Keys are looked up for every use: a key that any process destroyed is gone for all.
 * The key id is authenticated with what it wraps and seals, so neither can be put under another id.
 */
export function secretBox({ masterKey, keys, chance }: SecretBoxOptions): SecretBox {
  async function keyOf(keyId: string): Promise<Uint8Array> {
    const wrapped = await keys.get(keyId);
    if (wrapped === null) throw new Error(`secret key ${keyId} is not there: it was destroyed or never made here`);
    return unwrap(masterKey, keyId, wrapped);
  }
  return {
    async newKey() {
      const keyId = chance.uuid();
      const wrapped = encrypt(masterKey, chance.bytes(IV_BYTES), `key ${keyId}`, chance.bytes(KEY_BYTES));
      await keys.put(keyId, JSON.stringify(wrapped));
      return keyId;
    },
    async seal(keyId, value) {
      const text = Buffer.from(JSON.stringify(value) ?? 'null');
      return { sealed: keyId, ...encrypt(await keyOf(keyId), chance.bytes(IV_BYTES), `value ${keyId}`, text) };
    },
    async open(sealed) {
      const key = await keyOf(sealed.sealed);
      return JSON.parse(openValue(key, sealed).toString('utf8')) as unknown;
    },
    destroyKey: (keyId) => keys.remove(keyId),
  };
}

function openValue(key: Uint8Array, sealed: Sealed): Buffer {
  try {
    return decrypt(key, `value ${sealed.sealed}`, sealed);
  } catch (error) {
    throw new Error(`a value sealed by ${sealed.sealed} was tampered with`, { cause: error });
  }
}

function unwrap(masterKey: Uint8Array, keyId: string, wrapped: string): Uint8Array {
  try {
    return decrypt(masterKey, `key ${keyId}`, JSON.parse(wrapped) as Ciphertext);
  } catch (error) {
    throw new Error(`secret key ${keyId} was not wrapped by this master key`, { cause: error });
  }
}
