import { createCipheriv, createDecipheriv } from 'node:crypto';

/** What AES-256-GCM makes of a text; all base64. */
export interface Ciphertext {
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

export const KEY_BYTES = 32;
/** The length that GCM is made for; drawn anew for every text, since one key never may see an iv twice. */
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `context` is authenticated with the text and has to be given again to open it. */
export function encrypt(key: Uint8Array, iv: Uint8Array, context: string, text: Uint8Array): Ciphertext {
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
  const data = Buffer.concat([cipher.update(text), cipher.final()]);
  return { iv: base64(iv), tag: base64(cipher.getAuthTag()), data: base64(data) };
}

/** Throws when the key, the context or any byte is not the one that sealed. */
export function decrypt(key: Uint8Array, context: string, { iv, tag, data }: Ciphertext): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(iv), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes(tag));
  return Buffer.concat([decipher.update(bytes(data)), decipher.final()]);
}

const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');
const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
