import { bootFromOutside } from '@lib/adapters/boot-ramdisk';
import type { BootInterface } from '@lib/ports';
import { Bed } from './bed';

let bed: Bed;
afterEach(() => bed.close());

const interfaces = () => ({
  power: () => bed.power,
  management: () => bed.management,
  boot: (): BootInterface => {
    throw new Error('nothing is booted by us');
  },
});

describe('the start of a ramdisk', () => {
  it.each([false, true])('goes before a boot device that lasts (disable_power_off: %p)', async (disablePowerOff) => {
    bed = await Bed.open({
      power: 'On',
      boot: { enabled: 'Continuous', target: 'Hdd', mode: 'UEFI' },
      powerDelayMs: 1000,
    });
    const machine = bed.machine({ disablePowerOff, bootDevice: { device: 'disk', persistent: true } });
    await bootFromOutside(machine, interfaces(), bed.call);
    expect(bed.bmc.asked('PATCH').map(({ body }) => body)).toEqual([
      { Boot: { BootSourceOverrideTarget: 'Pxe', BootSourceOverrideEnabled: 'Once' } },
    ]);
    expect(bed.bmc.machine()).toMatchObject({ power: 'On', boot: { target: 'Pxe' } });
  });
});
