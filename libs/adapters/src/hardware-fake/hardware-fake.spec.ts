import { deploySteps, indicatorName, powerTargets, stepName, unmanaged } from '@lib/domain';
import type { Act, WorkName } from '@lib/domain';
import type { Call, WorkPiece } from '@lib/ports';
import { aMachine } from '@lib/testing/a-machine';
import { ManualClock } from '@lib/testing/manual-clock';
import {
  fakeConsole,
  fakeDeploy,
  fakeInspect,
  fakeManagement,
  fakeManagementActs,
  fakePower,
  fakeRaid,
  fakeRescue,
  fakeVendor,
  noopManagement,
} from './index';

const standing: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };
const fallen: Call = { ...standing, stillStands: () => Promise.reject(new Error('no longer wanted')) };

describe('fake power', () => {
  it.each([null, 'power on', 'power off'] as const)('reads what was last set: %s', async (powerState) => {
    expect(await fakePower.read(aMachine({ powerState }), standing)).toBe(powerState);
  });

  it.each([
    ['power on', 'power off', { powerState: 'power on', changed: true }],
    ['power on', 'power on', { powerState: 'power on', changed: false }],
    ['power off', null, { powerState: 'power off', changed: true }],
    ['soft power off', 'power off', { powerState: 'power off', changed: false }],
    ['rebooting', 'power on', { powerState: 'power on', changed: true }],
    ['soft rebooting', 'power on', { powerState: 'power on', changed: true }],
  ] as const)('%s of a machine that is %s', async (target, powerState, outcome) => {
    expect(await fakePower.change(aMachine({ powerState }), target, null, standing)).toEqual(outcome);
  });

  it('takes every target, and touches nothing for a request that no longer stands', async () => {
    expect(fakePower.validate(aMachine())).toBeNull();
    for (const target of powerTargets) {
      await expect(fakePower.change(aMachine(), target, null, fallen)).rejects.toThrow('no longer wanted');
    }
  });
});

describe('fake management', () => {
  it('boots from the network and nothing else', async () => {
    expect(fakeManagement.bootDevices(aMachine())).toEqual(['pxe']);
    expect(fakeManagement.checkBootDevice(aMachine(), 'pxe', false)).toBeNull();
    expect(fakeManagement.checkBootDevice(aMachine(), 'disk', false)).toMatch('Invalid boot device disk');
    await expect(fakeManagement.setBootDevice(aMachine(), 'disk', false, standing)).rejects.toThrow('disk');
    await expect(fakeManagement.setBootDevice(aMachine(), 'pxe', false, standing)).resolves.toBeUndefined();
    await expect(fakeManagement.setBootDevice(aMachine(), 'pxe', false, fallen)).rejects.toThrow('no longer wanted');
  });

  it('takes a persistent choice and remembers none', () => {
    expect(fakeManagement.checkBootDevice(aMachine(), 'pxe', true)).toBeNull();
    expect(fakeManagement.readBootDevice(aMachine())).toEqual({ boot_device: 'pxe', persistent: false });
    const chosen = aMachine({ bootDevice: { device: 'pxe', persistent: true } });
    expect(fakeManagement.readBootDevice(chosen)).toEqual({ boot_device: 'pxe', persistent: false });
  });
});

describe('noop management', () => {
  it('has nothing to do for the network or the disk, and cannot tell which is next', async () => {
    expect(noopManagement.bootDevices(aMachine())).toEqual(['pxe', 'disk']);
    expect(noopManagement.checkBootDevice(aMachine(), 'disk', true)).toBeNull();
    expect(noopManagement.checkBootDevice(aMachine(), 'cdrom', false)).toMatch('cdrom');
    await expect(noopManagement.setBootDevice(aMachine(), 'pxe', false, standing)).resolves.toBeUndefined();
    await expect(noopManagement.setBootDevice(aMachine(), 'cdrom', false, standing)).rejects.toThrow('cdrom');
    expect(noopManagement.readBootDevice(aMachine())).toEqual({ boot_device: null, persistent: null });
  });
});

describe('fake inspection', () => {
  const chanceOf = (random: number) => ({ uuid: () => '', bytes: () => new Uint8Array(), random: () => random });

  async function durationMs(firstSeconds: number, secondSeconds: number | null, random = 0): Promise<number> {
    const clock = new ManualClock(0);
    let endedAt = Number.NaN;
    const inspect = fakeInspect({ firstSeconds, secondSeconds }, clock, chanceOf(random));
    const run = inspect.inspect(aMachine(), standing).then((result) => {
      endedAt = clock.now();
      return result;
    });
    await clock.advanceBy(60_000);
    expect(await run).toEqual({ returned: 'MANAGEABLE' });
    return endedAt;
  }

  it('takes its time and returns MANAGEABLE', async () => {
    expect(await durationMs(0, null)).toBe(0);
    expect(await durationMs(1.5, null)).toBe(1500);
    expect(await durationMs(3, 3, 0.99)).toBe(3000);
  });

  it('draws between two numbers, most often near the first', async () => {
    expect(await durationMs(10, 20, 0)).toBe(10_000);
    // Half of all draws end before 29 % of the span, as a triangle that falls from the first number on says.
    expect(await durationMs(10, 20, 0.5)).toBeCloseTo(20_000 - 10_000 * Math.SQRT1_2, 6);
    expect(await durationMs(10, 20, 0.9999)).toBeCloseTo(19_900, 6);
  });

  it('ends at once, without a timer left, when its limit passes', async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const inspect = fakeInspect({ firstSeconds: 3600, secondSeconds: null }, clock, chanceOf(0));
    const run = inspect.inspect(aMachine(), { ...standing, signal: abort.signal });
    abort.abort();
    await expect(run).rejects.toThrow('given up');
    expect(clock.pending()).toBe(0);
  });

  it('accepts every machine and has no abort', () => {
    const inspect = fakeInspect({ firstSeconds: 0, secondSeconds: 0 }, new ManualClock(), chanceOf(0));
    expect(inspect.validate(aMachine())).toBeNull();
    expect(inspect.facts).toMatchObject({ name: 'fake', abort: false, startsIntrospection: false });
    expect(inspect.abort).toBeUndefined();
  });
});

describe('fake lifecycle work', () => {
  const piece = (work: WorkName, rest: Partial<WorkPiece> = {}): WorkPiece => ({
    work,
    step: null,
    resumed: false,
    ramdisk: true,
    aborted: false,
    ...rest,
  });
  const scripted = (script: unknown) => ({ ...aMachine(), extra: { fake: script } });
  const erase = (args: Record<string, unknown>) => ({ interface: 'deploy', step: 'erase_devices', args });

  it('is done at once', async () => {
    for (const work of fakeDeploy.works) expect(await fakeDeploy.work(aMachine(), piece(work), standing)).toEqual({});
    expect(fakeDeploy.validate(aMachine())).toBeNull();
  });

  it('has steps of its own for a deployment and for automated cleaning, and for nothing else', () => {
    const owned = fakeDeploy.works.filter((work) => fakeDeploy.ownSteps(work).length > 0);
    expect(owned).toEqual(['clean', 'deploy']);
    const erasing = deploySteps(fakeDeploy.ownSteps('clean')).map(stepName);
    expect(erasing).toEqual(['deploy.erase_devices_metadata', 'deploy.erase_devices']);
    expect(fakeDeploy.ownSteps('deploy')).toMatchObject([{ interface: 'deploy', step: 'deploy', priority: 100 }]);
  });

  it("fails when the node's script says so, and only that work", async () => {
    const machineNow = scripted({ deploy: { fails: 'the disk is gone' } });
    await expect(fakeDeploy.work(machineNow, piece('deploy'), standing)).rejects.toThrow('the disk is gone');
    expect(await fakeDeploy.work(machineNow, piece('clean'), standing)).toEqual({});
  });

  it.each([null, 'deploy', [], { deploy: 'fails' }, { deploy: { fails: 1 } }, { deploy: { fails: '' } }])(
    'takes no notice of the script %j',
    async (fake) => {
      expect(await fakeDeploy.work(scripted(fake), piece('deploy'), standing)).toEqual({});
    },
  );

  it('fails at the step that says so', async () => {
    const failing = piece('manual clean', { step: erase({ fails: 'no controller' }) });
    await expect(fakeDeploy.work(aMachine(), failing, standing)).rejects.toThrow('no controller');
    expect(await fakeDeploy.work(aMachine(), piece('manual clean', { step: erase({}) }), standing)).toEqual({});
  });

  it('waits once for its ramdisk when the script says so, and may fail then', async () => {
    const waiting = scripted({ rescue: { waits: true }, deploy: { waits: true, fails: 'no disk' } });
    expect(await fakeRescue.work(waiting, piece('rescue'), standing)).toEqual({ waits: { abortable: true } });
    expect(await fakeRescue.work(waiting, piece('rescue', { resumed: true }), standing)).toEqual({});
    expect(await fakeDeploy.work(waiting, piece('deploy'), standing)).toEqual({ waits: { abortable: true } });
    await expect(fakeDeploy.work(waiting, piece('deploy', { resumed: true }), standing)).rejects.toThrow('no disk');
  });

  it('waits at each step that says so, and says whether it may be broken off', async () => {
    const waiting = (args: Record<string, unknown>) =>
      fakeDeploy.work(aMachine(), piece('service', { step: erase(args), resumed: true }), standing);
    expect(await waiting({ waits: true })).toEqual({ waits: { abortable: true } });
    expect(await waiting({ waits: true, abortable: false })).toEqual({ waits: { abortable: false } });
    expect(await waiting({ waits: false })).toEqual({});
  });

  it('is not begun when what it serves no longer stands', async () => {
    const gone = { ...standing, stillStands: () => Promise.reject(new Error('cancelled')) };
    await expect(fakeDeploy.work(aMachine(), piece('deploy'), gone)).rejects.toThrow('cancelled');
  });
});

describe('what a fake machine is asked beside power and boot device', () => {
  const acts: readonly Act[] = [
    { act: 'set boot mode', mode: 'uefi' },
    { act: 'set secure boot', enabled: true },
    { act: 'inject nmi' },
    { act: 'set indicator', component: 'chassis', indicator: 'locator', state: 'blinking' },
    { act: 'attach media', deviceType: 'cdrom', imageUrl: 'http://a/b', downloadSource: 'local' },
    { act: 'detach media', deviceTypes: [] },
  ];
  it.each(acts)('is done at once: %j', async (act) => {
    expect(fakeManagementActs.check(aMachine(), act)).toBeNull();
    expect(await fakeManagementActs.carryOut(aMachine(), act, standing)).toBeUndefined();
    await expect(fakeManagementActs.carryOut(aMachine(), act, fallen)).rejects.toThrow('no longer wanted');
    const scripted = aMachine({ extra: { fake: { [act.act]: { fails: 'as told' } } } });
    await expect(fakeManagementActs.carryOut(scripted, act, standing)).rejects.toThrow('as told');
    expect(fakeConsole.check(aMachine(), act)).toHaveProperty('unsupported');
    await expect(fakeConsole.carryOut(aMachine(), act, standing)).rejects.toThrow('does not support');
  });

  it.each([
    [{ indicator: 'locator', component: 'disk', state: 'on' }, 'no indicator locator@disk'],
    [{ indicator: 'toString', component: 'chassis', state: 'on' }, 'no indicator toString@chassis'],
    [{ indicator: 'alarm', component: 'chassis', state: 'on' }, 'can only be read'],
    [{ indicator: 'led', component: 'system', state: 'blinking' }, 'led@system takes on, off'],
  ])('is not set: %j', (named, text) => {
    expect(fakeManagementActs.check(aMachine(), { act: 'set indicator', ...named })).toEqual({
      problem: expect.stringContaining(text),
    });
  });

  it('tells its indicators, as they were set', async () => {
    const { answer } = (await fakeManagementActs.ask(aMachine(), { ask: 'indicators' })) as {
      answer: { name: string }[];
    };
    expect(answer.map(({ name }) => name)).toEqual(['locator@chassis', 'alarm@chassis', 'led@system']);
    const lit = aMachine({ managed: { ...unmanaged, indicators: { [indicatorName('led', 'system')]: 'on' } } });
    const led = { ask: 'indicator', component: 'system', indicator: 'led' } as const;
    expect(await fakeManagementActs.ask(lit, led)).toEqual({ answer: 'on' });
    expect(await fakeManagementActs.ask(aMachine(), led)).toEqual({ answer: 'off' });
    expect(await fakeManagementActs.ask(lit, { ...led, indicator: 'x' })).toHaveProperty('problem');
  });

  it.each([
    ['https://user:hidden@a.invalid/b@c.iso', 'https://a.invalid/b@c.iso'],
    ['HTTP://user:hid@den@a.invalid:8080/b.iso', 'HTTP://a.invalid:8080/b.iso'],
    ['https://a.invalid/b.iso?X-Amz-Signature=hidden', 'https://a.invalid/b.iso'],
    ['https://user:hid?den@a.invalid/b.iso', '******'],
    ['https://user:hid/den@a.invalid/b.iso', '******'],
    ['smb://dom;user:hidden@a.invalid/s/b.iso#hidden', 'smb://a.invalid/s/b.iso'],
    ['nfs://a.invalid/b.iso', 'nfs://a.invalid/b.iso'],
  ])('tells its media without what lets one in: %s', async (imageUrl, image) => {
    const loaded = aMachine({ managed: { ...unmanaged, media: [{ deviceType: 'cdrom', imageUrl }] } });
    expect(await fakeManagementActs.ask(loaded, { ask: 'media' })).toEqual({
      answer: [{ media_types: ['CD', 'DVD'], inserted: true, image }],
    });
  });

  it('has three vendor methods, one of which answers', async () => {
    const called = (method: string, args: unknown) =>
      fakeVendor.carryOut(aMachine(), { act: 'call vendor method', method, httpMethod: 'POST', args }, standing);
    expect(Object.keys(fakeVendor.vendorMethods)).toHaveLength(3);
    expect(await called('third_method_sync', { bar: 1 })).toBe(true);
    expect(await called('third_method_sync', null)).toBe(false);
    expect(await called('second_method', {})).toBeUndefined();
  });

  it('checks a wanted RAID configuration', () => {
    expect(fakeRaid.checkConfig(aMachine(), {})).toBeNull();
    expect(fakeRaid.checkConfig(aMachine(), { logical_disks: [] })).toContain('logical_disks');
  });
});
