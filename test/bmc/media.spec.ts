import type { MediaType } from '@lib/domain';
import type { BmcMachine } from '@lib/testing/redfish-bmc';
import { Bed, clock } from './bed';

let bed: Bed;
afterEach(() => bed.close());

const ISO = 'https://images.example/rescue.iso';
const attach = (deviceType: MediaType = 'cdrom', imageUrl = ISO) =>
  bed.acts.carryOut(bed.machine(), { act: 'attach media', deviceType, imageUrl, downloadSource: 'http' }, bed.call);
const detach = (...deviceTypes: MediaType[]) =>
  bed.acts.carryOut(bed.machine(), { act: 'detach media', deviceTypes }, bed.call);
const media = () => bed.bmc.machine().media;
const changes = () =>
  bed.bmc.requests
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/Sessions'))
    .map(({ method, path, body }) => [`${method} ${path.slice(path.lastIndexOf('/') + 1)}`, body]);

describe('virtual media', () => {
  it.each<[string, Partial<BmcMachine>, unknown[]]>([
    ['a manager', {}, ['POST VirtualMedia.InsertMedia', { Image: ISO }]],
    ['the system', { mediaOf: 'system' }, ['POST VirtualMedia.InsertMedia', { Image: ISO }]],
    ['a BMC without actions', { mediaBy: 'patch' }, ['PATCH Cd', { Image: ISO, Inserted: true, WriteProtected: true }]],
  ])('of %s are put in and taken out', async (_, machine, asked) => {
    bed = await Bed.open(machine);
    await attach();
    expect(media()).toEqual({ Cd: ISO, Usb: null });
    expect(changes()).toEqual([asked]);
    await detach();
    expect(media()).toEqual({ Cd: null, Usb: null });
  });

  it('go into the device for their type, and come out of it alone', async () => {
    bed = await Bed.open({ media: { Floppy: null, Usb: null, Cd: null } });
    await attach('disk', 'http://images.example/a.img');
    await attach('floppy', 'http://images.example/b.img');
    await attach();
    expect(media()).toEqual({
      Floppy: 'http://images.example/b.img',
      Usb: 'http://images.example/a.img',
      Cd: ISO,
    });
    await detach('cdrom', 'floppy');
    expect(media()).toEqual({ Floppy: null, Usb: 'http://images.example/a.img', Cd: null });
  });

  it('take the place of what is in there', async () => {
    bed = await Bed.open({ media: { Cd: 'http://images.example/old.iso' } });
    await attach();
    expect(changes().map(([what]) => what)).toEqual(['POST VirtualMedia.EjectMedia', 'POST VirtualMedia.InsertMedia']);
    expect(media()).toEqual({ Cd: ISO });
  });

  it('that are there already are not put in again, and empty devices not emptied', async () => {
    bed = await Bed.open({ media: { Cd: ISO, Usb: null } });
    await attach();
    await detach('disk');
    expect(changes()).toEqual([]);
  });

  it('for which there is no device fail', async () => {
    bed = await Bed.open({ media: { Cd: null } });
    await expect(attach('floppy')).rejects.toThrow('/redfish/v1/Systems/1 has no virtual device for floppy');
  });

  it('tell the account apart from the address', async () => {
    bed = await Bed.open();
    await attach('cdrom', 'cifs://op:of%20them@files.example/a.iso');
    expect(media()).toMatchObject({ Cd: 'cifs://files.example/a.iso' });
    expect(bed.bmc.machine().mediaAccount).toEqual({ username: 'op', password: 'of them' });
  });

  it('name the protocol where the BMC wants it named', async () => {
    bed = await Bed.open({ mediaBy: 'action with protocol' });
    await attach();
    expect(changes().map(([, body]) => body)).toEqual([{ Image: ISO }, { Image: ISO, TransferProtocolType: 'HTTPS' }]);
    expect(media()).toMatchObject({ Cd: ISO });
  });

  it('that the BMC refuses fail with its words', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: /InsertMedia$/, fault: { kind: 'status', status: 400, message: 'No such image.' } });
    await expect(attach()).rejects.toThrow(/InsertMedia: 400 No such image\./);
    expect(changes()).toHaveLength(1);
  });

  it.each(['cut', 'half answer'] as const)('are in after an answer that was lost (%s)', async (kind) => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: /InsertMedia$/, times: 1, fault: { kind } });
    await attach();
    expect(media()).toMatchObject({ Cd: ISO });
    expect(changes()).toHaveLength(2);
  });

  it.each([
    ['2', 2000 * 3],
    ['Mon, 30 Nov 1998 08:00:00 GMT', 2000 * 3],
    ['7', 7000 * 3],
    [undefined, 2000 * 3],
  ])('are in when the BMC says so, asked after %p', async (retryAfter, ms) => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: /InsertMedia$/, fault: { kind: 'task', polls: 2, retryAfter } });
    const before = clock.now();
    await attach();
    expect(clock.now() - before).toBeGreaterThanOrEqual(ms);
    expect(bed.bmc.asked('GET', /TaskMonitors/).map(({ status }) => status)).toEqual([202, 202, 204]);
  });

  it('that a task does not get in fail with its words', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: /InsertMedia$/, fault: { kind: 'task', polls: 1, end: 500 } });
    await expect(attach()).rejects.toThrow(/did not carry out POST \S+InsertMedia: 500 The task has failed/);
  });

  it('are not waited for after a reset, which a power state tells of', async () => {
    bed = await Bed.open();
    bed.bmc.faults.add({ path: /Reset$/, fault: { kind: 'task', polls: 9 } });
    await bed.power.change(bed.machine(), 'power on', null, bed.call);
    expect(bed.bmc.asked('GET', /TaskMonitors/)).toEqual([]);
  });

  it('are shown, without accounts', async () => {
    bed = await Bed.open({ media: { Cd: 'http://u:p@images.example/a.iso', Usb: null } });
    expect(await bed.acts.ask(bed.machine(), { ask: 'media' })).toEqual({
      answer: [
        { media_types: ['CD', 'DVD'], inserted: true, image: 'http://images.example/a.iso' },
        { media_types: ['USBStick'], inserted: false, image: null },
      ],
    });
  });

  it('are asked for no longer than somebody waits, and not of a BMC that is not told', async () => {
    bed = await Bed.open({}, { questionMs: 20_000 });
    bed.bmc.faults.add({ fault: { kind: 'hang' } });
    await expect(bed.acts.ask(bed.machine(), { ask: 'media' })).rejects.toThrow('within 20 seconds');
    const { length } = bed.bmc.requests;
    expect(await bed.acts.ask(bed.machine({ driverInfo: {} }), { ask: 'media' })).toEqual({
      problem: expect.stringContaining('redfish_address'),
    });
    expect(bed.bmc.requests).toHaveLength(length);
  });
});
