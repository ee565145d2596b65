export { bootedMachines } from './booted-machines';
export { pacedBody } from './paced-body';
export { readBootFile } from './read-boot-file';
export type { BootFiles } from './read-boot-file';
