import type { Call, Clock, Machine } from '@lib/ports';
import type { ActingInterface } from '@lib/ports';
import { actingInterface } from '../hardware-acting';
import type { BmcConnection } from './connection';
import type { BmcConnections } from './connections';
import { accessOf, accessProblem } from './driver-info';
import { HardwareError } from './hardware-error';
import type { RedfishOptions } from './options';
import { askForReset } from './reset';
import { findSystem } from './system';
import type { SystemSeen } from './system';
import { objectIn, pathIn, textIn } from './wire';

const modes = { uefi: 'UEFI', bios: 'Legacy' } as const;

/** Boot mode, secure boot and NMI of a machine (contract: redfish.md §4, node-api.md §12, §13). */
export function redfishActs(connections: BmcConnections, options: RedfishOptions, clock: Clock): ActingInterface {
  const on = (
    { driverInfo }: Machine,
    call: Call,
    act: (system: SystemSeen, bmc: BmcConnection) => Promise<void>,
  ): Promise<undefined> =>
    connections.using(accessOf(driverInfo, options), async (bmc) => {
      await act(await findSystem(bmc, call), bmc);
      return undefined;
    });
  return actingInterface('redfish', ({ driverInfo }) => accessProblem(driverInfo, options), {
    acts: {
      'set boot mode': {
        run: (machine, { mode }, call) =>
          on(machine, call, async ({ path, document, etag }, bmc) => {
            const wanted = modes[mode];
            if (textIn(objectIn(document, 'Boot'), 'BootSourceOverrideMode') === wanted) return;
            await bmc.patch(path, { Boot: { BootSourceOverrideMode: wanted } }, call, etag);
          }),
      },
      'set secure boot': {
        run: (machine, { enabled }, call) =>
          on(machine, call, async ({ path, document }, bmc) => {
            const at = pathIn(document['SecureBoot']);
            if (at === null) throw new HardwareError(`The system ${path} has no secure boot.`);
            const { document: now, etag } = await bmc.get(at, call);
            if (now['SecureBootEnable'] === enabled) return;
            await bmc.patch(at, { SecureBootEnable: enabled }, call, etag);
          }),
      },
      'inject nmi': {
        run: (machine, _act, call) =>
          on(machine, call, (system, bmc) => askForReset('Nmi', null, system, { bmc, turn: call, options, clock })),
      },
    },
  });
}
