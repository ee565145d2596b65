/** The boot interfaces `pxe` and `ipxe`: configuration files by MAC address for pxelinux and iPXE. */
export { pxeBoot } from './pxe-boot';
export type { PxeSettings } from './pxe-boot';
export { removeBootFiles as removeAttemptFiles, writeAttemptFile } from './boot-files';
