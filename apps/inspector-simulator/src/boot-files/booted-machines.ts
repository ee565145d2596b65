import type { BootedMachines } from '@lib/usecases/simulated-inspector';
import { postAsRamdisk } from '../ramdisk-post';
import { readBootFile } from './read-boot-file';
import type { BootFiles } from './read-boot-file';

/** Machines that boot by these files and post over HTTP. */
export const bootedMachines = (files: BootFiles): BootedMachines => ({
  bootFile: (bootInterface, macs) => readBootFile(files, bootInterface, macs),
  post: (url, body, overMs) => postAsRamdisk(url, body, overMs),
});
