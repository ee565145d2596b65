import type { Call, Clock, Machine } from '@lib/ports';
import type { ActingInterface } from '@lib/ports';
import { actingInterface } from '../hardware-acting';
import type { BmcConnection } from './connection';
import type { BmcConnections } from './connections';
import { accessOf, accessProblem } from './driver-info';
import { HardwareError } from './hardware-error';
import type { RedfishOptions } from './options';
import {
  indicatorsShown,
  indicatorState,
  indicatorStates,
  isComponent,
  setIndicator,
  unknownIndicator,
} from './indicators';
import { asked } from './question';
import { askForReset } from './reset';
import { findSystem } from './system';
import type { SystemCall, SystemSeen } from './system';
import { ejectMedia, insertMedia, mediaShown } from './virtual-media';
import { objectIn, pathIn, textIn } from './wire';

const modes = { uefi: 'UEFI', bios: 'Legacy' } as const;

/** Boot mode, secure boot, NMI, lights and virtual media of a machine (contract: redfish.md §4, node-api.md §12, §13, §21). */
export function redfishActs(connections: BmcConnections, options: RedfishOptions, clock: Clock): ActingInterface {
  const on = (
    { driverInfo }: Machine,
    call: Call,
    act: (system: SystemSeen, bmc: BmcConnection) => Promise<unknown>,
  ): Promise<undefined> =>
    connections.using(accessOf(driverInfo, options), async (bmc) => {
      await act(await findSystem(bmc, call), bmc);
      return undefined;
    });
  const about = <T>({ driverInfo }: Machine, question: (call: SystemCall) => Promise<T>): Promise<T> =>
    asked(options.questionMs, clock, (turn) =>
      connections.using(accessOf(driverInfo, options), async (bmc) =>
        question({ system: await findSystem(bmc, turn), bmc, turn }),
      ),
    );
  /** What is wrong with how the BMC is reached goes before the question. */
  const answered = async (
    machine: Machine,
    answer: () => Promise<{ answer: unknown } | { problem: string }>,
  ): Promise<{ answer: unknown } | { problem: string }> => {
    const problem = accessProblem(machine.driverInfo, options);
    return problem === null ? answer() : { problem };
  };
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
      'set indicator': {
        check: (_machine, { component, indicator, state }) =>
          isComponent(component) ? stateProblem(state) : unknownIndicator(indicator, component),
        run: (machine, { component, indicator, state }, call) =>
          on(machine, call, (system, bmc) => setIndicator(indicator, component, state, { system, bmc, turn: call })),
      },
      'attach media': {
        run: (machine, { deviceType, imageUrl }, call) =>
          on(machine, call, (system, bmc) => insertMedia([deviceType], String(imageUrl), { system, bmc, turn: call })),
      },
      'detach media': {
        run: (machine, { deviceTypes }, call) =>
          on(machine, call, (system, bmc) => ejectMedia(deviceTypes, { system, bmc, turn: call })),
      },
    },
    questions: {
      indicators: (machine) => answered(machine, async () => ({ answer: await about(machine, indicatorsShown) })),
      indicator: (machine, { component, indicator }) =>
        answered(machine, async () => {
          const state = await about(machine, (call) => indicatorState(indicator, component, call));
          return state === null ? { problem: unknownIndicator(indicator, component) } : { answer: state };
        }),
      media: (machine) => answered(machine, async () => ({ answer: await about(machine, mediaShown) })),
    },
  });
}

const stateProblem = (state: string): string | null =>
  indicatorStates.includes(state)
    ? null
    : `Invalid indicator state ${state}: one of ${indicatorStates.join(', ')} is expected.`;
