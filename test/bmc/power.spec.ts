import type { PowerTarget } from '@lib/domain';
import type { Machine } from '@lib/ports';
import { Bed, clock, soon } from './bed';

let bed: Bed;
afterEach(() => bed.close());

const change = (target: PowerTarget, timeoutSeconds: number | null = null, differs: Partial<Machine> = {}) =>
  bed.power.change(bed.machine(differs), target, timeoutSeconds, bed.call);
const resets = () => bed.bmc.asked('POST', /Reset$/).map(({ body }) => body['ResetType']);
const resetPath = /Reset$/;

describe('reading', () => {
  it.each([
    ['On', 'power on'],
    ['PoweringOn', 'power on'],
    ['Off', 'power off'],
    ['PoweringOff', 'power off'],
    ['Paused', null],
    [null, null],
  ] as const)('%p is %p', async (power, state) => {
    bed = await Bed.open({ power });
    expect(await bed.power.read(bed.machine(), bed.call)).toBe(state);
  });
});

describe('changing', () => {
  it.each([
    ['Off', 'power on', ['On'], 'power on'],
    ['On', 'power off', ['ForceOff'], 'power off'],
    ['On', 'rebooting', ['ForceOff', 'On'], 'power on'],
    ['Off', 'rebooting', ['On'], 'power on'],
    ['On', 'soft rebooting', ['GracefulRestart'], 'power on'],
    ['Off', 'soft rebooting', ['On'], 'power on'],
    ['On', 'soft power off', ['GracefulShutdown'], 'power off'],
  ] as const)('from %s, %s asks for %p', async (power, target, asked, powerState) => {
    bed = await Bed.open({ power, powerDelayMs: 3000 });
    expect(await change(target)).toEqual({ powerState, changed: true });
    expect(resets()).toEqual(asked);
    expect(await bed.power.read(bed.machine(), bed.call)).toBe(powerState);
  });

  it.each([
    ['On', 'power on'],
    ['Off', 'power off'],
    ['Off', 'soft power off'],
  ] as const)('a machine that is %s is not told %s: one read', async (power, target) => {
    bed = await Bed.open({ power });
    expect(await change(target)).toEqual({ powerState: power === 'On' ? 'power on' : 'power off', changed: false });
    expect(resets()).toEqual([]);
    expect(bed.bmc.asked('GET', /Systems\/1$/)).toHaveLength(1);
  });

  it('a machine that is not to be switched off is restarted in one', async () => {
    bed = await Bed.open({ power: 'On' });
    expect(await change('rebooting', null, { disablePowerOff: true })).toEqual({
      powerState: 'power on',
      changed: true,
    });
    expect(resets()).toEqual(['ForceRestart']);
  });

  it('takes as long as it may, and then fails with what the machine says', async () => {
    bed = await Bed.open({ powerDelayMs: null }, { powerChangeMs: 60_000 });
    const before = clock.now();
    await expect(change('power on')).rejects.toThrow('not at "power on" within 60 seconds: it reports "Off"');
    expect(clock.now() - before).toBeGreaterThanOrEqual(60_000);
  });

  it('the time may be told with the request', async () => {
    bed = await Bed.open({ power: 'On', powerDelayMs: null });
    await expect(change('soft power off', 10)).rejects.toThrow('not at "power off" within 10 seconds');
  });

  it('what a system does not take is not asked of it', async () => {
    bed = await Bed.open({ power: 'On', resetTypes: ['On', 'ForceOff'] });
    await expect(change('soft power off')).rejects.toThrow('takes no GracefulShutdown (it takes On, ForceOff)');
    expect(resets()).toEqual([]);
  });

  it('a system that does not say what it takes is asked', async () => {
    bed = await Bed.open({ resetTypes: null });
    expect(await change('power on')).toEqual({ powerState: 'power on', changed: true });
  });

  it('a system without a reset is an error', async () => {
    bed = await Bed.open({ odd: { Actions: undefined } });
    await expect(change('power on')).rejects.toThrow('offers no reset');
  });

  it('nothing more is asked once it is given up', async () => {
    bed = await Bed.open({ powerDelayMs: null });
    const going = change('power on');
    going.catch(() => undefined);
    while (resets().length === 0) await soon();
    bed.abort.abort();
    await expect(going).rejects.toThrow('given up');
    const { length } = bed.bmc.requests;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(bed.bmc.requests).toHaveLength(length);
  });
});

describe('a BMC that refuses', () => {
  it.each([400, 409])('%i counts as done where the machine is there, a moment later', async (status) => {
    bed = await Bed.open({ power: 'On', powerDelayMs: 1000 });
    bed.bmc.faults.add({ path: resetPath, fault: { kind: 'status', status, carriesOut: true } });
    expect(await change('power off')).toEqual({ powerState: 'power off', changed: true });
  });

  it('counts as done where its state is unknown and it says so itself', async () => {
    bed = await Bed.open({ power: null, powerDelayMs: null });
    const message = 'The system is already powered off.';
    bed.bmc.faults.add({ path: resetPath, times: 1, fault: { kind: 'status', status: 409, message } });
    const going = change('power off');
    while (resets().length === 0) await soon();
    setTimeout(() => (bed.bmc.machine().power = 'Off'), 100);
    expect(await going).toEqual({ powerState: 'power off', changed: true });
    expect(resets()).toEqual(['ForceOff']);
  });

  it('400 is the end where the machine is not there, in the words of the BMC', async () => {
    bed = await Bed.open({ powerDelayMs: null });
    bed.bmc.faults.add({ path: resetPath, fault: { kind: 'status', status: 400, message: 'The lid is open.' } });
    await expect(change('power on')).rejects.toThrow(/400 The lid is open\. \(1 try\)/);
  });

  it('a power on that is in conflict is asked for again', async () => {
    bed = await Bed.open();
    const messageId = 'Base.1.8.ActionParameterValueConflict';
    bed.bmc.faults.add({ path: resetPath, times: 6, fault: { kind: 'status', status: 409, messageId } });
    expect(await change('power on')).toEqual({ powerState: 'power on', changed: true });
    expect(resets()).toHaveLength(7);
    await bed.close();
    bed = await Bed.open();
    bed.bmc.faults.add({ path: resetPath, fault: { kind: 'status', status: 409, messageId } });
    await expect(change('power on')).rejects.toThrow(/409.*\(7 tries\)/);
  });

  it('5xx is tried again, and the state looked at before', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: resetPath, times: 2, fault: { kind: 'status', status: 500 } });
    expect(await change('power on')).toEqual({ powerState: 'power on', changed: true });
    expect(resets()).toHaveLength(3);
    bed.bmc.faults.add({ path: resetPath, times: 1, fault: { kind: 'status', status: 500, carriesOut: true } });
    expect(await change('power off')).toEqual({ powerState: 'power off', changed: true });
    expect(resets()).toHaveLength(4);
  });

  it('5xx for ever fails with the words of the BMC and the number of tries', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: resetPath, fault: { kind: 'status', status: 500, message: 'Fan failure.' } });
    await expect(change('power on')).rejects.toThrow(/500 Fan failure\. \(5 tries\)/);
  });

  it('a connection that is lost over a reset is no reason to ask twice', async () => {
    bed = await Bed.open({ power: 'On' });
    bed.bmc.faults.add({ path: resetPath, times: 1, fault: { kind: 'half answer' } });
    expect(await change('power off')).toEqual({ powerState: 'power off', changed: true });
    expect(resets()).toEqual(['ForceOff']);
  });

  it('one that is out of reach while the power changes is waited for', async () => {
    bed = await Bed.open({ powerDelayMs: 4000 });
    const going = change('power on');
    while (resets().length === 0) await soon();
    bed.bmc.faults.add({ path: /Systems\/1$/, times: 2, fault: { kind: 'cut' } });
    expect(await going).toEqual({ powerState: 'power on', changed: true });
  });
});
