/** Secrets sealed with AES-256-GCM, one key per life of a resource, every key wrapped by the master key. */
export { secretBox, type SecretBoxOptions } from './secret-box';
export { checkMasterKey } from './check-master-key';
export { masterKey, masterKeyFromFile, masterKeyFromText } from './master-key';
export { memoryKeyStore } from './memory-key-store';
export { transportBox } from './transport-box';
