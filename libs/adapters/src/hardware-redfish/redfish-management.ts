import type { Clock, ManagementInterface } from '@lib/ports';
import { pause } from '../bounded-call';
import { bootDeviceOf, bootDevices, setBootDevice } from './boot-device';
import type { BmcConnections } from './connections';
import { accessOf, accessProblem } from './driver-info';
import { HardwareError } from './hardware-error';
import { enabledMacs, Reader } from './inspect';
import type { RedfishOptions } from './options';
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

/** A question that changes nothing, and is given up when the BMC takes too long. */
async function asked<T>(
  limitMs: number,
  clock: Clock,
  ask: (turn: { readonly signal: AbortSignal; stillStands(): Promise<void> }) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const asker = new AbortController();
  const tooLong = pause(limitMs, clock, over.signal).then(() => {
    asker.abort();
    throw new HardwareError(`The BMC did not answer within ${limitMs / 1000} seconds.`);
  });
  tooLong.catch(() => undefined);
  try {
    return await Promise.race([ask({ signal: asker.signal, stillStands: () => Promise.resolve() }), tooLong]);
  } finally {
    over.abort();
  }
}
