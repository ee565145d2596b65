import type { KeyStore } from '@lib/ports';

export function memoryKeyStore(): KeyStore {
  const keys = new Map<string, string>();
  return {
    put: async (keyId, wrapped) => {
      if (keys.has(keyId)) throw new Error(`key ${keyId}: there is one already`);
      keys.set(keyId, wrapped);
    },
    get: async (keyId) => keys.get(keyId) ?? null,
    remove: async (keyId) => void keys.delete(keyId),
  };
}
