import type { ManagementInterface } from '@lib/ports';
import { bootDeviceProblem } from './boot-device';

const devices = ['pxe', 'disk'];

/**
 * For machines whose firmware was told once to try the network first and then the disk: both requests hold already, so there
 * is nothing to do; which of the two the next boot takes nobody can tell.
 */
export const noopManagement: ManagementInterface = {
  validate: () => null,
  bootDevices: () => devices,
  readBootDevice: () => ({ boot_device: null, persistent: null }),
  checkBootDevice: (_machine, device) => bootDeviceProblem(device, devices),
  setBootDevice: async (_machine, device) => {
    const problem = bootDeviceProblem(device, devices);
    if (problem !== null) throw new Error(problem);
  },
};
