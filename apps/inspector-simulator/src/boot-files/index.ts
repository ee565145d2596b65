export { bootedMachines } from './booted-machines';
export { readBootFile } from './read-boot-file';
export type { BootFiles } from './read-boot-file';
