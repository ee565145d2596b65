import { fakeBoot, noopNetwork } from '@lib/adapters/hardware-fake';
import { agentInterface } from '@lib/adapters/inspect-agent';
import { inspectorInterface, overBus } from '@lib/adapters/inspect-inspector';
import { finalPowerStateOf, inspectFacts, nextState, works } from '@lib/domain';
import type { PowerState, WorkName } from '@lib/domain';
import type {
  ActingInterface,
  Call,
  HardwareRegistry,
  InspectInterface,
  Logger,
  ManagementInterface,
  MessageBus,
  PowerInterface,
} from '@lib/ports';
import { PREFIX } from '../world';
import type { Fate } from './fate';
import type { Process, Weather } from './process';

const FAILS = 0.06;
const HANGS = 0.03;
const SECONDS_MAX = 4;
/** Longest time of one call to the inspector. */
const INSPECTOR_MS = 10_000;

interface MachineParts {
  /** What the machines do, whoever asks. */
  readonly powered: Map<string, PowerState>;
  readonly fate: Fate;
  readonly weather: Weather;
  readonly bus: MessageBus;
  readonly logger: Logger;
}

/** The machines of the simulated day as one conductor process reaches them: slow, failing, and hanging until given up. */
export function machinesFor(process: Process, parts: MachineParts): HardwareRegistry {
  const { powered, fate, weather, bus, logger } = parts;

  const touched = async (what: string, { signal }: Call): Promise<void> => {
    await process.call(what, async () => undefined);
    if (fate.happens(0.5)) await pause(fate.between(1, SECONDS_MAX * 1000));
    if (!weather.stormy) return;
    if (fate.happens(HANGS)) await hangs(signal);
    if (fate.happens(FAILS)) throw new Error('the BMC answered with nonsense');
  };
  const pause = (ms: number) => new Promise<void>((resolve) => process.clock.after(ms, resolve));
  /** Half of those that hang do not even notice that they were given up. */
  const hangs = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      if (fate.happens(0.5)) signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
    });

  const power: PowerInterface = {
    validate: () => null,
    async read({ uuid }, call) {
      await touched('a look at the power', call);
      return powered.get(uuid) ?? 'power off';
    },
    async change({ uuid }, target, _timeoutSeconds, call) {
      await call.stillStands();
      await touched('a power change', call);
      const before = powered.get(uuid) ?? 'power off';
      const powerState = finalPowerStateOf(target);
      powered.set(uuid, powerState);
      return { powerState, changed: before !== powerState || target.endsWith('rebooting') };
    },
  };
  const management: ManagementInterface = {
    validate: () => null,
    bootDevices: () => ['pxe', 'disk'],
    readBootDevice: ({ bootDevice }) => ({ boot_device: bootDevice?.device ?? null, persistent: false }),
    checkBootDevice: (_machine, device) => (device === 'pxe' || device === 'disk' ? null : `no device ${device}`),
    setBootDevice: (_machine, _device, _persistent, call) => touched('a boot device', call),
  };
  const acting: ActingInterface = {
    validate: () => null,
    vendorMethods: {
      now: { httpMethods: ['POST'], async: false, exclusive: true, description: '' },
      beside: { httpMethods: ['POST'], async: true, exclusive: false, description: '' },
    },
    check: () => null,
    async carryOut(_machine, { act }, call) {
      await call.stillStands();
      await touched(act, call);
      return act === 'call vendor method' ? { called: true } : undefined;
    },
    ask: async ({ managed }) => ({ answer: managed }),
  };
  const boots = {
    power: () => power,
    management: () => management,
    boot: () => fakeBoot,
    network: () => noopNetwork,
    requireManagedBoot: false,
    ramdisk: { apiUrl: 'http://api.invalid', extraKernelParameters: [], forceDhcp: false, fastTrack: false },
  };
  const transport = overBus({ bus, prefix: PREFIX, timeoutMs: INSPECTOR_MS });
  const peer = { transport, clock: process.clock, logger };
  const resolveHost = () => Promise.resolve([]);
  const interfaces: Readonly<Record<string, InspectInterface>> = {
    inspector: inspectorInterface({ ...boots, ...peer, callbackEndpoint: 'http://inspector.invalid', resolveHost }),
    agent: agentInterface({ ...boots, resolveHost, logger, clock: process.clock }),
    fake: {
      facts: inspectFacts('fake'),
      validate: () => null,
      async inspect(_machine, call) {
        await touched('an inspection', call);
        return { returned: 'MANAGEABLE', data: { inventory: { cpu: { count: 4 } }, pluginData: {} } };
      },
    },
  };
  return {
    inspect: (name) => interfaces[name] ?? { facts: inspectFacts(name), validate: () => null, inspect: unsupported },
    power: () => power,
    management: () => management,
    boot: () => fakeBoot,
    network: () => noopNetwork,
    lifecycle: () => ({
      works: Object.values(works).map(({ work }) => work),
      validate: () => null,
      ownSteps: () => [],
      async work(_machine, { work, step, resumed, aborted }, call) {
        await call.stillStands();
        await touched(work, call);
        const isDone = aborted || (resumed && step === null) || !canWait(work) || fate.happens(0.5);
        return isDone ? {} : { waits: { abortable: fate.happens(0.7) } };
      },
    }),
    acting: () => acting,
    raid: () => null,
    parts: () => null,
    validateAll: (_machine, names) => Object.fromEntries(Object.keys(names).map((kind) => [kind, { result: true }])),
  };
}

const canWait = (work: WorkName): boolean => nextState(works[work].running, 'wait') !== undefined;

const unsupported = (): Promise<never> => Promise.reject(new Error('not supported by the driver'));
