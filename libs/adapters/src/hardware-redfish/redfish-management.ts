import type { Clock, ManagementInterface } from '@lib/ports';
import { bootDeviceOf, bootDevices, setBootDevice } from './boot-device';
import type { BmcConnections } from './connections';
import { accessOf, accessProblem } from './driver-info';
import { enabledMacs } from './inspect';
import type { RedfishOptions } from './options';
import { asked } from './question';
import { Reader } from './reader';
import { findSystem } from './system';

/** contract: redfish.md §3, node-api.md §13 */
export function redfishManagement(
  connections: BmcConnections,
  options: RedfishOptions,
  clock: Clock,
): ManagementInterface {
  return {
    validate: ({ driverInfo }) => accessProblem(driverInfo, options),
    bootDevices: () => bootDevices,
    readBootDevice: (machine) =>
      asked(options.questionMs, clock, (turn) =>
        connections.using(accessOf(machine.driverInfo, options), async (bmc) =>
          bootDeviceOf(await findSystem(bmc, turn)),
        ),
      ),
    checkBootDevice: (_machine, device) =>
      bootDevices.includes(device)
        ? null
        : `Invalid boot device ${device} specified: only ${bootDevices.join(', ')} can be set.`,
    setBootDevice: (machine, device, persistent, call) =>
      connections.using(accessOf(machine.driverInfo, options), async (bmc) =>
        setBootDevice(device, persistent, await findSystem(bmc, call), { bmc, turn: call }),
      ),
    macs: (machine, call) =>
      connections.using(accessOf(machine.driverInfo, options), async (bmc) =>
        enabledMacs((await findSystem(bmc, call)).document, new Reader(bmc, call)),
      ),
  };
}
