import type { ManagementInterface } from '@lib/ports';
import { bootDeviceProblem } from './boot-device';

const devices = ['pxe'];

/** Boots from the network and remembers nothing: a persistent choice is taken and reads as not persistent (contract: node-api.md §13). */
export const fakeManagement: ManagementInterface = {
  validate: () => null,
  bootDevices: () => devices,
  readBootDevice: ({ bootDevice }) => ({ boot_device: bootDevice?.device ?? 'pxe', persistent: false }),
  checkBootDevice: (_machine, device) => bootDeviceProblem(device, devices),
  setBootDevice: async (_machine, device, _persistent, call) => {
    const problem = bootDeviceProblem(device, devices);
    if (problem !== null) throw new Error(problem);
    await call.stillStands();
  },
};
