import { Bed } from './bed';

let bed: Bed;
afterEach(() => bed.close());

const boot = () => bed.bmc.machine().boot;
const patches = () => bed.bmc.asked('PATCH').map(({ path, body }) => ({ path: path.slice(-10), body }));
const set = (device: string, persistent: boolean) =>
  bed.management.setBootDevice(bed.machine(), device, persistent, bed.call);

describe('boot devices', () => {
  it('are set for one boot or for all, and read back', async () => {
    bed = await Bed.open();
    expect(await bed.management.readBootDevice(bed.machine())).toEqual({ boot_device: null, persistent: null });
    await set('pxe', false);
    expect(boot()).toMatchObject({ target: 'Pxe', enabled: 'Once' });
    expect(await bed.management.readBootDevice(bed.machine())).toEqual({ boot_device: 'pxe', persistent: false });
    await set('disk', true);
    expect(await bed.management.readBootDevice(bed.machine())).toEqual({ boot_device: 'disk', persistent: true });
  });

  it('leave out what is set already', async () => {
    bed = await Bed.open({ boot: { enabled: 'Continuous', target: 'Hdd', mode: 'UEFI' } });
    await set('cdrom', true);
    expect(patches()).toEqual([{ path: '/Systems/1', body: { Boot: { BootSourceOverrideTarget: 'Cd' } } }]);
  });

  it('that the system does not offer are refused', async () => {
    bed = await Bed.open({ bootTargets: ['Pxe'] });
    await expect(set('floppy', false)).rejects.toThrow('can not boot from floppy');
    expect(bed.management.checkBootDevice(bed.machine(), 'wanboot', false)).toMatch('wanboot');
    expect(bed.management.checkBootDevice(bed.machine(), 'pxe', false)).toBeNull();
  });

  it('that last are set anew before the machine is switched on, where the BMC forgot', async () => {
    bed = await Bed.open();
    const machine = bed.machine({ bootDevice: { device: 'pxe', persistent: true } });
    await bed.power.change(machine, 'power on', null, bed.call);
    expect(boot()).toMatchObject({ target: 'Pxe', enabled: 'Continuous' });
    await bed.power.change(machine, 'rebooting', null, bed.call);
    expect(patches()).toHaveLength(1);
  });

  it('for one boot are not', async () => {
    bed = await Bed.open();
    const machine = bed.machine({ bootDevice: { device: 'pxe', persistent: false } });
    await bed.power.change(machine, 'power on', null, bed.call);
    expect(patches()).toEqual([]);
  });

  it('are asked for no longer than somebody waits', async () => {
    bed = await Bed.open({}, { questionMs: 20_000 });
    bed.bmc.faults.add({ fault: { kind: 'hang' } });
    await expect(bed.management.readBootDevice(bed.machine())).rejects.toThrow('within 20 seconds');
  });

  it('are set over a change of the session', async () => {
    bed = await Bed.open();
    await set('pxe', false);
    bed.bmc.sessions.expire();
    bed.bmc.faults.add({ method: 'PATCH', times: 1, fault: { kind: 'cut' } });
    await set('cdrom', false);
    expect(boot().target).toBe('Cd');
  });
});

describe('acts', () => {
  const act = (one: Parameters<typeof bed.acts.carryOut>[1]) => bed.acts.carryOut(bed.machine(), one, bed.call);

  it('the boot mode', async () => {
    bed = await Bed.open();
    await act({ act: 'set boot mode', mode: 'bios' });
    expect(boot().mode).toBe('Legacy');
    await act({ act: 'set boot mode', mode: 'bios' });
    expect(patches()).toHaveLength(1);
  });

  it('secure boot', async () => {
    bed = await Bed.open();
    await act({ act: 'set secure boot', enabled: true });
    expect(bed.bmc.machine().secureBoot).toEqual({ enabled: true, current: 'Enabled' });
    await act({ act: 'set secure boot', enabled: true });
    expect(patches()).toHaveLength(1);
  });

  it('secure boot of a machine without it is an error', async () => {
    bed = await Bed.open({ secureBoot: null });
    await expect(act({ act: 'set secure boot', enabled: true })).rejects.toThrow('has no secure boot');
  });

  it('an NMI', async () => {
    bed = await Bed.open({ power: 'On' });
    await act({ act: 'inject nmi' });
    expect(bed.bmc.asked('POST', /Reset$/)[0]?.body).toEqual({ ResetType: 'Nmi' });
  });

  it('what is not offered is refused', async () => {
    bed = await Bed.open();
    expect(bed.acts.check(bed.machine(), { act: 'set console', enabled: true })).toHaveProperty('unsupported');
    expect(bed.acts.validate(bed.machine({ driverInfo: {} }))).toMatch('redfish_address');
  });
});
