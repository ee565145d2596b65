/** A secret as the log, the read model and the bus see it (architecture, "The log": AES-256-GCM). */
export interface Sealed {
  readonly sealed: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

/** One key per life of a node, wrapped by a master key; kept beside the log, not in it. */
export interface SecretBox {
  /** Key id for a new life of a resource. Stored before it returns. */
  newKey(): Promise<string>;
  /** `value` is any JSON value. */
  seal(keyId: string, value: unknown): Promise<Sealed>;
  /** Rejects when the key is unknown or the value was tampered with. */
  open(sealed: Sealed): Promise<unknown>;
  /** Forgets a key: what it sealed can never be read again. */
  destroyKey(keyId: string): Promise<void>;
}

/** Where wrapped keys are kept: beside the log, in none of its events, and not made anew by a rebuild. */
export interface KeyStore {
  /** Stored durably before it resolves; rejects when the id is taken. */
  put(keyId: string, wrapped: string): Promise<void>;
  get(keyId: string): Promise<string | null>;
  remove(keyId: string): Promise<void>;
}

/** Seals what travels between our services, under one key for all of them that the master key gives. */
export interface TransportBox {
  seal(value: unknown): Sealed;
  /** Throws when it was not sealed by a service with the same master key. */
  open(sealed: Sealed): unknown;
  /** Tells two texts apart without giving either away: the same for the same text, and nobody without the key can make it. */
  fingerprint(text: string): string;
}

/** Key id of what a transport box sealed: no key of a resource's life has this name. */
export const TRANSPORT_KEY_ID = 'bus';
