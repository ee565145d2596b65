/** The rules of a port beyond created, changed, removed (`resource`): its addresses, its plug, its node's state. */
export * from './change';
export { completePort, newPortDocument, portDefaults } from './document';
export type { PortDocument, PortFields } from './document';
export { isMac, storedMac } from './mac';
export { normaliseLocalLink } from './local-link';
