import type { MachineSeen } from '@lib/domain';
import type { BootInterface, Call, InspectionSupport, Machine, PowerInterface } from '@lib/ports';
import { aMachine } from '@lib/testing/a-machine';
import { ManualClock } from '@lib/testing/manual-clock';
import { fakeBoot, fakeManagement, fakePower, noopNetwork } from '../hardware-fake';
import { refusingManagement, refusingNetwork } from '../hardware-refusing';
import { agentInterface } from './index';

const machine = aMachine({
  driverInfo: { redfish_address: 'https://192.0.2.7' },
  powerState: 'power on',
  attempt: 1,
});

interface Wishes {
  readonly requireManagedBoot?: boolean | null;
  readonly fails?: string;
  readonly stands?: () => boolean;
  /** What the boot interface `ipxe` says of the machine. */
  readonly support?: InspectionSupport;
  readonly forceDhcp?: boolean;
  readonly fastTrack?: boolean;
}

/** An interface over a machine that writes down what is done to it. */
function world(rest: Wishes = {}) {
  const steps: unknown[] = [];
  const noticed: MachineSeen[] = [];
  const doing = (step: string): void => {
    if (step.startsWith(rest.fails ?? 'nothing')) throw new Error('the BMC is silent');
    steps.push(step);
  };
  const power: PowerInterface = {
    ...fakePower,
    change: (one, target, timeoutSeconds, call) => {
      doing(`${target} from ${one.powerState}`);
      return fakePower.change(one, target, timeoutSeconds, call);
    },
  };
  const management = {
    ...fakeManagement,
    setBootDevice: async (_machine: Machine, device: string, persistent: boolean) =>
      doing(`${device}${persistent ? ' for good' : ''}`),
  };
  const ipxe: BootInterface = {
    ...fakeBoot,
    validateInspection: () => rest.support ?? { verdict: 'supported' },
    prepareRamdisk: async ({ attempt }, kernelParameters) => {
      doing(`prepare ${attempt}: ${kernelParameters.join(' ')}`);
      return { device: 'pxe', persistent: false };
    },
    cleanUpRamdisk: async ({ attempt }) => doing(`clean up ${attempt}`),
  };
  const call: Call = {
    signal: new AbortController().signal,
    stillStands: async () => {
      if (!(rest.stands ?? (() => true))()) throw new Error('it does not stand');
    },
    noticed: (seen) => void noticed.push(seen),
  };
  const inspect = agentInterface({
    requireManagedBoot: rest.requireManagedBoot === undefined ? false : rest.requireManagedBoot,
    resolveHost: () => Promise.resolve([]),
    logger: { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() },
    clock: new ManualClock(),
    power: () => power,
    management: (name) => (name === 'fake' ? management : refusingManagement(name)),
    boot: (name) => (name === 'ipxe' ? ipxe : fakeBoot),
    network: (name) => (name === 'noop' ? noopNetwork : refusingNetwork(name)),
    ramdisk: {
      apiUrl: 'http://192.0.2.1:6385/',
      extraKernelParameters: ['nomodeset', 'ipa-inspection-callback-url=http://elsewhere'],
      forceDhcp: rest.forceDhcp ?? false,
      fastTrack: rest.fastTrack ?? false,
    },
  });
  return { inspect, call, steps, noticed };
}

describe('the start of an inspection by agent', () => {
  it('sends the machine to the network: off, boot device, on, and waits [1.27]', async () => {
    const { inspect, call, steps, noticed } = world();
    expect(await inspect.inspect(machine, call)).toEqual({
      returned: 'INSPECTWAIT',
      manageBoot: false,
      lookupBmcAddresses: ['192.0.2.7'],
    });
    expect(steps).toEqual(['power off from power on', 'pxe', 'power on from power off']);
    expect(noticed.at(-1)).toEqual({
      powerState: 'power on',
      changed: true,
      bootDevice: { device: 'pxe', persistent: false },
    });
  });

  it('restarts a machine that must not be powered off', async () => {
    const { inspect, call, steps } = world();
    await inspect.inspect({ ...machine, disablePowerOff: true }, call);
    expect(steps).toEqual(['pxe', 'rebooting from power on']);
  });

  it.each([
    ['Always', true],
    ['always', true],
    [true, true],
    ['true', true],
    ['Never', false],
    ['Default', false],
    [false, false],
    [undefined, false],
  ])('keeps the boot device with force_persistent_boot_device %j: %s', async (value, persistent) => {
    const { inspect, call, steps } = world();
    await inspect.inspect({ ...machine, driverInfo: { force_persistent_boot_device: value } }, call);
    expect(steps[1]).toBe(persistent ? 'pxe for good' : 'pxe');
  });

  it.each([
    ['power off', undefined],
    ['pxe', { powerState: 'power off', changed: true, bootDevice: null }],
    ['power on', { powerState: 'power off', changed: true, bootDevice: { device: 'pxe', persistent: false } }],
  ])('that fails at %s says why, and how the machine was left', async (fails, seen) => {
    const { inspect, call, noticed } = world({ fails });
    await expect(inspect.inspect(machine, call)).rejects.toThrow('unable to start inspection: the BMC is silent');
    expect(noticed.at(-1)).toEqual(seen);
  });

  it('stops between two steps when it does not stand any more', async () => {
    let asked = 0;
    const { inspect, call, steps } = world({ stands: () => (asked += 1) < 3 });
    await expect(inspect.inspect(machine, call)).rejects.toThrow('it does not stand');
    expect(steps).toEqual(['power off from power on']);
  });
});

describe('the start of an inspection whose ramdisk we boot', () => {
  const managed: Machine = { ...machine, bootInterface: 'ipxe', managedBoot: 'ipxe' };
  const CALLBACK = 'ipa-inspection-callback-url=http://192.0.2.1:6385/v1/continue_inspection';

  it('is off, prepare, on; the ramdisk is told where to post, and not where the API is', async () => {
    const { inspect, call, steps, noticed } = world();
    expect(await inspect.inspect(managed, call)).toMatchObject({
      returned: 'INSPECTWAIT',
      manageBoot: true,
      callbackUrl: expect.stringMatching(/^http.*\/v1\/continue_inspection$/) as unknown,
    });
    expect(steps).toEqual(['power off from power on', `prepare 1: nomodeset ${CALLBACK}`, 'power on from power off']);
    expect(noticed.at(-1)).toMatchObject({ bootDevice: { device: 'pxe', persistent: false } });
  });

  it('restarts a machine that must not be powered off, once all is prepared', async () => {
    const { inspect, call, steps } = world();
    await inspect.inspect({ ...managed, disablePowerOff: true }, call);
    expect(steps).toEqual([expect.stringMatching(/^prepare/), 'rebooting from power on']);
  });

  it.each([
    [{ fastTrack: true }, {}, true],
    [{ fastTrack: true }, { fast_track: 'no' }, false],
    [{}, { fast_track: true }, true],
    [{}, {}, false],
  ])('with %j in the settings and %j on the node tells where the API is: %s', async (settings, driverInfo, told) => {
    const { inspect, call, steps } = world(settings);
    await inspect.inspect({ ...managed, driverInfo }, call);
    expect(String(steps[1]).includes('ipa-api-url=http://192.0.2.1:6385')).toBe(told);
  });

  it('asks for LLDP with force_dhcp', async () => {
    const { inspect, call, steps } = world({ forceDhcp: true });
    await inspect.inspect(managed, call);
    expect(steps[1]).toMatch(/ ipa-collect-lldp=1$/);
  });

  it.each(['power off', 'prepare', 'power on'])('that fails at %s says so; the ending cleans up', async (fails) => {
    const { inspect, call, steps } = world({ fails });
    await expect(inspect.inspect(managed, call)).rejects.toThrow('unable to start inspection: the BMC is silent');
    expect(steps).not.toContain('clean up 1');
  });

  it.each([1, 2, 3, 4])('that is over at question %d stops there and takes away what it prepared', async (last) => {
    let asked = 0;
    const { inspect, call, steps } = world({ stands: () => (asked += 1) < last + 1 });
    await expect(inspect.inspect(managed, call)).rejects.toThrow('it does not stand');
    expect(steps).not.toContain('power on from power off');
    expect(steps.at(-1)).toBe('clean up 1');
  });

  it('fails when the boot interface has changed its mind', async () => {
    const support = { verdict: 'missing parameter', reason: 'no kernel' } as const;
    const { inspect, call, steps } = world({ support });
    await expect(inspect.inspect(managed, call)).rejects.toThrow('unable to start inspection: no kernel');
    expect(steps).toEqual([]);
  });
});

describe('who boots the ramdisk', () => {
  const ipxe = { ...machine, bootInterface: 'ipxe' };
  const unsupported = { verdict: 'unsupported', reason: 'Driver ipxe has no kernel.' } as const;
  const missing = { verdict: 'missing parameter', reason: 'Driver ipxe has a bad kernel.' } as const;

  it.each([null, true, false])('is we where the boot interface can, with require_managed_boot %s', (wanted) => {
    const { inspect } = world({ requireManagedBoot: wanted });
    expect([inspect.managesBoot?.(ipxe), inspect.validate(ipxe)]).toEqual([true, null]);
  });

  it.each([
    [null, /require_managed_boot/],
    [true, /require_managed_boot/],
    [false, null],
  ])('is somebody outside where it can not, or nobody with require_managed_boot %s', (wanted, problem) => {
    const { inspect } = world({ requireManagedBoot: wanted, support: unsupported });
    expect(inspect.managesBoot?.(ipxe)).toBe(false);
    if (problem) expect(inspect.validate(ipxe)).toMatch(problem);
    else expect(inspect.validate(ipxe)).toBeNull();
  });

  it.each([null, true, false])('is nobody where a parameter is wrong, with require_managed_boot %s', (wanted) => {
    const { inspect } = world({ requireManagedBoot: wanted, support: missing });
    expect([inspect.managesBoot?.(ipxe), inspect.validate(ipxe)]).toEqual([false, missing.reason]);
  });

  it('is somebody outside where the network can not be had', () => {
    const { inspect } = world({ requireManagedBoot: false });
    expect(inspect.managesBoot?.({ ...ipxe, networkInterface: 'neutron' })).toBe(false);
  });
});

describe('the interface agent', () => {
  it.each([
    [null, false],
    [true, false],
    [false, true],
  ])('with require_managed_boot %s accepts a machine whose ramdisk we can not boot: %s', (requireManagedBoot, good) => {
    const { inspect } = world({ requireManagedBoot });
    const problem = inspect.validate(machine);
    if (good) expect(problem).toBeNull();
    else expect(problem).toMatch(/fake does not support managed boot/);
  });

  it('needs a management interface that can set the boot device', async () => {
    const { inspect, call, steps } = world();
    const other = { ...machine, managementInterface: 'redfish' };
    expect(inspect.validate(other)).toContain('redfish does not support management');
    await expect(inspect.inspect(other, call)).rejects.toThrow('unable to start inspection: Driver redfish');
    expect(steps).toEqual([]);
  });

  it('takes every abort: what is left to do is the clean-up', async () => {
    const { inspect, call } = world();
    await expect(inspect.abort?.(machine, call)).resolves.toBeUndefined();
    expect(inspect.facts).toMatchObject({ name: 'agent', abort: true, takesData: true, powerOff: 'always' });
  });
});
