import type { PowerState, PowerTarget } from '@lib/domain';
import type { Call, Clock, Machine, PowerInterface } from '@lib/ports';
import { pause } from '../bounded-call';
import { restoreBootDevice } from './boot-device';
import type { BmcConnections } from './connections';
import { accessOf, accessProblem } from './driver-info';
import type { RedfishOptions } from './options';
import { askForReset, awaitState } from './reset';
import type { ResetDeps, ResetType } from './reset';
import { findSystem, powerStateOf } from './system';
import type { SystemSeen } from './system';

/** What a machine takes to begin a restart that it is not seen to be off in between. */
const RESTART_PAUSE_MS = 15_000;

interface Change extends ResetDeps {
  readonly machine: Machine;
  readonly timeoutSeconds: number | null;
}

type Changed = { readonly powerState: PowerState; readonly changed: boolean };

/** contract: redfish.md §3 */
export function redfishPower(connections: BmcConnections, options: RedfishOptions, clock: Clock): PowerInterface {
  return {
    validate: ({ driverInfo }) => accessProblem(driverInfo, options),
    read: ({ driverInfo }, call) =>
      connections.using(accessOf(driverInfo, options), async (bmc) => powerStateOf(await findSystem(bmc, call))),
    change: (machine, target, timeoutSeconds, call) =>
      connections.using(accessOf(machine.driverInfo, options), async (bmc) => {
        const change = { bmc, turn: call as Call, options, clock, machine, timeoutSeconds };
        return changed(target, await findSystem(bmc, call), change);
      }),
  };
}

async function changed(target: PowerTarget, system: SystemSeen, change: Change): Promise<Changed> {
  const state = powerStateOf(system);
  const hard = timeoutMs(change, change.options.powerChangeMs);
  switch (target) {
    case 'power on':
      return state === 'power on' ? unchanged(state) : on(system, hard, change);
    case 'power off':
      return state === 'power off' ? unchanged(state) : reset('ForceOff', 'power off', system, hard, change);
    case 'soft power off': {
      const soft = timeoutMs(change, change.options.softPowerOffMs);
      return state === 'power off' ? unchanged(state) : reset('GracefulShutdown', 'power off', system, soft, change);
    }
    case 'soft rebooting':
      if (state !== 'power on') return on(system, hard, change);
      await restoreBootDevice(system, change);
      return reset('GracefulRestart', 'power on', system, timeoutMs(change, change.options.softPowerOffMs), change);
    case 'rebooting':
      return state === 'power on' ? reboot(system, hard, change) : on(system, hard, change);
  }
}

const timeoutMs = ({ timeoutSeconds }: Change, otherwise: number): number =>
  timeoutSeconds === null ? otherwise : timeoutSeconds * 1000;

const unchanged = (powerState: PowerState): Changed => ({ powerState, changed: false });

async function on(system: SystemSeen, ms: number, change: Change): Promise<Changed> {
  await restoreBootDevice(system, change);
  return reset('On', 'power on', system, ms, change);
}

async function reboot(system: SystemSeen, ms: number, change: Change): Promise<Changed> {
  const { machine, turn, clock } = change;
  if (machine.disablePowerOff) {
    await restoreBootDevice(system, change);
    await askForReset('ForceRestart', null, system, change);
    await pause(RESTART_PAUSE_MS, clock, turn.signal);
    await awaitState('power on', ms, system, change);
    return { powerState: 'power on', changed: true };
  }
  await askForReset('ForceOff', 'power off', system, change);
  return on(await awaitState('power off', ms, system, change), ms, change);
}

async function reset(
  type: ResetType,
  wanted: PowerState,
  system: SystemSeen,
  ms: number,
  change: Change,
): Promise<Changed> {
  // A restart ends where it began: that the machine is there says nothing of whether it was carried out.
  const isRestart = type === 'GracefulRestart';
  await askForReset(type, isRestart ? null : wanted, system, change);
  await awaitState(wanted, ms, system, change);
  return { powerState: wanted, changed: true };
}
