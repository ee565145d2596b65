import { hkdfSync } from 'node:crypto';
import { TRANSPORT_KEY_ID, type Chance, type TransportBox } from '@lib/ports';
import { IV_BYTES, KEY_BYTES, decrypt, encrypt } from './cipher';

const CONTEXT = `value ${TRANSPORT_KEY_ID}`;

/** Every service with the same master key opens what another one sealed; nothing of it is stored. */
export function transportBox(masterKey: Uint8Array, chance: Pick<Chance, 'bytes'>): TransportBox {
  const key = new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), 'ferrolog transport', KEY_BYTES));
  return {
    seal(value) {
      const text = Buffer.from(JSON.stringify(value) ?? 'null');
      return { sealed: TRANSPORT_KEY_ID, ...encrypt(key, chance.bytes(IV_BYTES), CONTEXT, text) };
    },
    open: (sealed) => JSON.parse(decrypt(key, CONTEXT, sealed).toString('utf8')) as unknown,
  };
}
