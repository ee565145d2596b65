import type { MachineSeen } from '@lib/domain';
import type { Call, Machine, PowerInterface } from '@lib/ports';
import { ManualClock } from '@lib/testing/manual-clock';
import { fakeManagement, fakePower } from '../hardware-fake';
import { refusingManagement } from '../hardware-refusing';
import { agentInterface } from './index';

const machine: Machine = {
  uuid: '6d9b7c2e-3f3a-4f0e-9b1a-0c5d5e0f7a11',
  driver: 'fake-hardware',
  driverInfo: { redfish_address: 'https://192.0.2.7' },
  properties: {},
  extra: {},
  instanceInfo: {},
  bootInterface: 'fake',
  networkInterface: 'noop',
  powerInterface: 'fake',
  managementInterface: 'fake',
  disablePowerOff: false,
  powerState: 'power on',
  bootDevice: null,
  attempt: 1,
};

/** An interface over a machine that writes down what is done to it. */
function world(rest: { requireManagedBoot?: boolean | null; fails?: string; stands?: () => boolean } = {}) {
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
  });
  return { inspect, call, steps, noticed };
}

describe('the start of an inspection by agent', () => {
  it('sends the machine to the network: off, boot device, on', async () => {
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
