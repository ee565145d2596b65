import { createHmac, hkdfSync } from 'node:crypto';
import { TRANSPORT_KEY_ID, type Chance, type TransportBox } from '@lib/ports';
import { IV_BYTES, KEY_BYTES, decrypt, encrypt } from './cipher';

const FINGERPRINT_BYTES = 16;
const CONTEXT = `value ${TRANSPORT_KEY_ID}`;

/** Every service with the same master key opens what another one sealed; nothing of it is stored. */
export function transportBox(masterKey: Uint8Array, chance: Pick<Chance, 'bytes'>): TransportBox {
  const derived = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), `ferrolog ${purpose}`, KEY_BYTES));
  const key = derived('transport');
  const fingerprintKey = derived('fingerprint');
  return {
    seal(value) {
      const text = Buffer.from(JSON.stringify(value) ?? 'null');
      return { sealed: TRANSPORT_KEY_ID, ...encrypt(key, chance.bytes(IV_BYTES), CONTEXT, text) };
    },
    open: (sealed) => JSON.parse(decrypt(key, CONTEXT, sealed).toString('utf8')) as unknown,
    fingerprint: (text) =>
      createHmac('sha256', fingerprintKey).update(text).digest().subarray(0, FINGERPRINT_BYTES).toString('base64url'),
  };
}
