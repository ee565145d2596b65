import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootManaged } from '@lib/adapters/boot-ramdisk';
import { tokenDigest } from '@lib/adapters/agent-token';
import { redfishMediaBoot } from '@lib/adapters/hardware-redfish';
import type { MediaBootSettings } from '@lib/adapters/hardware-redfish';
import { systemChance } from '@lib/adapters/system-clock';
import type { Machine } from '@lib/ports';
import { Bed, clock } from './bed';

const UUID = '6f1a2b54-0000-4000-8000-0000000000aa';
const ISO = 'https://images.example/ramdisk.iso';
const SERVED = 'http://192.0.2.1:8080/files';
const served = (attempt: number) => `${SERVED}/ferrolog/${UUID}/${attempt}/parameters.img`;
const PARAMETERS = ['ipa-inspection-callback-url=http://192.0.2.1:6385/v1/continue_inspection', 'quiet'];

let bed: Bed;
let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'media-boot-'))));
afterEach(async () => {
  await bed.close();
  rmSync(root, { recursive: true });
});

const boot = (differs: Partial<MediaBootSettings> = {}) =>
  redfishMediaBoot(bed.connections, bed.options, clock, systemChance, { httpRoot: root, httpUrl: SERVED, ...differs });
const machine = (differs: Partial<Machine> = {}, info: Record<string, unknown> = {}): Machine =>
  bed.machine({ uuid: UUID, driverInfo: bed.info({ deploy_iso: ISO, ...info }), ...differs });
const prepare = (differs: Partial<Machine> = {}) => boot().prepareRamdisk(machine(differs), PARAMETERS, bed.call);
const media = () => bed.bmc.machine().media;
const file = (attempt: number) => join(root, 'ferrolog', UUID, String(attempt), 'parameters.img');

/** The only file of a FAT12 floppy whose clusters follow each other. */
function textIn(image: Buffer): string {
  const root = 19 * 512;
  const entries = Array.from({ length: 4 }, (_, index) => image.subarray(root + index * 32, root + (index + 1) * 32));
  const short = entries.find((entry) => entry.toString('latin1', 0, 11) === 'PARAME~1TXT');
  const length = short?.readUInt32LE(28) ?? 0;
  return image.toString('utf8', 33 * 512, 33 * 512 + length);
}

describe('redfish-virtual-media', () => {
  it.each<[string, Record<string, unknown>, Partial<MediaBootSettings>, RegExp]>([
    ['no image', { deploy_iso: undefined }, {}, /driver_info lacks deploy_iso/],
    ['an odd image', { deploy_iso: 'file:///etc/passwd' }, {}, /deploy_iso is no http/],
    ['no web server', {}, { httpUrl: null }, /\[deploy\] http_url is not set/],
    ['no BMC', { redfish_address: undefined }, {}, /driver_info lacks redfish_address/],
    ['nothing', { deploy_iso: '', redfish_address: '' }, { httpUrl: null }, /redfish_address.*deploy_iso.*http_url/],
  ])('with %s names what is missing, and nothing else boots the machine', async (_, info, settings, reason) => {
    bed = await Bed.open();
    expect(boot(settings).validateInspection(machine({}, info))).toEqual({
      verdict: 'missing parameter',
      reason: expect.stringMatching(reason),
    });
    expect(boot(settings).validate(machine({}, info))).toMatch(reason);
    await expect(boot(settings).prepareRamdisk(machine({}, info), [], bed.call)).rejects.toThrow(reason);
    expect(bed.bmc.requests).toEqual([]);
  });

  it('shows the image as a CD, what the ramdisk is told as a stick, and boots once from the CD', async () => {
    bed = await Bed.open();
    expect(boot().validateInspection(machine())).toEqual({ verdict: 'supported' });
    const agentTokenDigest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const prepared = await prepare();
    expect(prepared).toEqual({ device: 'cdrom', persistent: false, agentTokenDigest });
    expect(media()).toEqual({ Cd: ISO, Usb: served(1) });
    expect(bed.bmc.machine().boot).toMatchObject({ target: 'Cd', enabled: 'Once' });
    const image = readFileSync(file(1));
    expect(image).toHaveLength(1_474_560);
    const [told, token = ''] = textIn(image).split('ipa-agent-token=');
    expect(told).toBe(`${PARAMETERS.join('\n')}\n`);
    expect(token).toMatch(/^[\w-]{43}\n$/);
    expect(tokenDigest(token.trim())).toBe(prepared?.agentTokenDigest);
  });

  it('makes a token for each boot of a ramdisk, and none that somebody else has named', async () => {
    bed = await Bed.open();
    const tokenOf = async () => {
      await boot().prepareRamdisk(machine(), [...PARAMETERS, 'ipa-agent-token=known-to-all'], bed.call);
      return textIn(readFileSync(file(1))).match(/ipa-agent-token=.*/g);
    };
    const [first, second] = [await tokenOf(), await tokenOf()];
    expect([first, second]).toEqual([[expect.any(String)], [expect.any(String)]]);
    expect(new Set([first?.[0], second?.[0], 'ipa-agent-token=known-to-all']).size).toBe(3);
  });

  it('writes a floppy that others take for one', async () => {
    bed = await Bed.open();
    await prepare();
    if (!existsSync('/usr/sbin/blkid')) return;
    const told = execFileSync('/usr/sbin/blkid', ['-p', '-o', 'export', file(1)], { encoding: 'utf8' });
    expect(told).toMatch(/^LABEL=ir-vfd-dev$/m);
    expect(told).toMatch(/^TYPE=vfat$/m);
  });

  it('tells in its own words that a floppy does not hold so many parameters, and touches nothing', async () => {
    bed = await Bed.open();
    const asked = boot().prepareRamdisk(machine(), [`a=${'b'.repeat(64 * 1024)}`], bed.call);
    // What carries another name is told of as a bug.
    await expect(asked).rejects.toMatchObject({ name: 'HardwareError', message: expect.stringMatching(/too many$/) });
    expect(bed.bmc.requests).toEqual([]);
  });

  it('takes a floppy where there is no stick, and no device twice', async () => {
    bed = await Bed.open({ media: { Floppy: null, Cd: null } });
    await prepare();
    expect(media()).toEqual({ Floppy: served(1), Cd: ISO });
    await bed.close();
    bed = await Bed.open({ media: { Cd: null } });
    await expect(prepare()).rejects.toThrow('no virtual device for disk or floppy');
  });

  it('may be asked twice for an attempt, and a newer one takes its place', async () => {
    bed = await Bed.open();
    await prepare();
    await prepare();
    expect(bed.bmc.asked('POST', /InsertMedia$/)).toHaveLength(2);
    await prepare({ attempt: 2 });
    expect(media()).toEqual({ Cd: ISO, Usb: served(2) });
    expect([existsSync(file(1)), existsSync(file(2))]).toEqual([false, true]);
  });

  it('takes everything out at the end, and leaves what others put in', async () => {
    bed = await Bed.open({ media: { Cd: null, Usb: null, Floppy: 'http://images.example/other.img' } });
    await prepare();
    await boot().cleanUpRamdisk(machine(), bed.call);
    expect(media()).toEqual({ Cd: null, Usb: null, Floppy: 'http://images.example/other.img' });
    expect(existsSync(join(root, 'ferrolog', UUID))).toBe(false);
    await boot().cleanUpRamdisk(machine(), bed.call);
    expect(bed.bmc.asked('POST', /EjectMedia$/)).toHaveLength(2);
  });

  it('leaves a newer attempt alone, and the BMC of a node that is gone', async () => {
    bed = await Bed.open();
    await prepare({ attempt: 2 });
    await boot().cleanUpRamdisk(machine({ attempt: 1 }), bed.call);
    expect(media()).toEqual({ Cd: ISO, Usb: served(2) });
    const { length } = bed.bmc.requests;
    await boot().cleanUpRamdisk({ uuid: UUID, attempt: 2 }, bed.call);
    expect(bed.bmc.requests).toHaveLength(length);
    expect(existsSync(file(2))).toBe(false);
  });

  it('cleans up after an inspection that no longer stands, and tells when the BMC does not let it', async () => {
    bed = await Bed.open();
    await prepare();
    const over = { ...bed.call, stillStands: () => Promise.reject(new Error('it is over')) };
    bed.bmc.faults.add({ path: /EjectMedia$/, times: 1, fault: { kind: 'status', status: 403, message: 'Locked.' } });
    await boot().cleanUpRamdisk(machine(), over);
    expect(media()).toEqual({ Cd: null, Usb: null });
    await prepare();
    bed.bmc.faults.add({ path: /EjectMedia$/, fault: { kind: 'status', status: 400, message: 'It is busy.' } });
    await expect(boot().cleanUpRamdisk(machine(), over)).rejects.toThrow('400 It is busy.');
  });

  it('boots the ramdisk between off and on', async () => {
    bed = await Bed.open({ power: 'On' });
    const on = machine({ powerState: 'power on', bootDevice: { device: 'disk', persistent: true } });
    const interfaces = { power: () => bed.power, management: () => bed.management, boot: () => boot() };
    await bootManaged(on, boot(), PARAMETERS, interfaces, bed.call);
    const asked = bed.bmc.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/Sessions'));
    expect(asked.map(({ path, body }) => body['ResetType'] ?? body['Image'] ?? body['Boot'] ?? path)).toEqual([
      'ForceOff',
      served(1),
      ISO,
      { BootSourceOverrideTarget: 'Cd', BootSourceOverrideEnabled: 'Once' },
      'On',
    ]);
  });
});
