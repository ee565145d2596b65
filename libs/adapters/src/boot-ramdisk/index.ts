/** How a machine comes to its inspection ramdisk: booted by us, or sent to the network (contract: inspection.md §4.1-4.3). */
export { ramdiskParameters, underV1 } from './kernel-parameters';
export type { RamdiskSettings } from './kernel-parameters';
export { bootProblem, managesBoot } from './manages-boot';
export type { BootVerdictDeps } from './manages-boot';
export { bootFromOutside, bootManaged, persistsBootDevice, startStep } from './start-ramdisk';
export type { MachineInterfaces } from './start-ramdisk';
