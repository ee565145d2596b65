export { openHardwareRegistry } from './open-hardware-registry';
export type { HardwareOptions, HardwareRegistryDeps } from './open-hardware-registry';
