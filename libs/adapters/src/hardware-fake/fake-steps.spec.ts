import { partsAfter, noParts, unmanaged } from '@lib/domain';
import type { JsonObject, ToldParts } from '@lib/domain';
import type { Call, Machine, WorkPiece } from '@lib/ports';
import { fakeParts, fakeRaid } from './index';

const call: Call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };

interface Given {
  readonly told?: ToldParts;
  readonly fake?: unknown;
  readonly wanted?: JsonObject;
  readonly there?: JsonObject;
}

const machine = ({ told = {}, fake = {}, wanted = {}, there }: Given): Machine =>
  ({
    extra: { fake },
    parts: partsAfter(noParts, told, 1000),
    managed: { ...unmanaged, targetRaidConfig: wanted, ...(there ? { raidConfig: there } : {}) },
  }) as unknown as Machine;

const owners = { bios: fakeParts.bios, firmware: fakeParts.firmware, raid: fakeRaid };

const take = (by: keyof typeof owners, step: string, args: JsonObject | undefined, given: Given, rest = {}) => {
  const piece: WorkPiece = {
    work: 'manual clean',
    step: { interface: by, step, ...(args ? { args } : {}) },
    resumed: false,
    ramdisk: true,
    aborted: false,
    ...rest,
  };
  return owners[by].takeStep!(machine(given), piece, call);
};

describe('steps of the fake BIOS interface', () => {
  const told = {
    bios: [
      { name: 'Boot', value: 'uefi', attributes: { default_value: 'bios' } },
      { name: 'Serial', value: '7', attributes: { read_only: true } },
    ],
  };
  const apply = (settings: unknown) => take('bios', 'apply_configuration', { settings } as JsonObject, { told });

  it('set what they name, and add what was not there', async () => {
    const settings = [
      { name: 'Boot', value: 'bios' },
      { name: 'Cores', value: 4 },
    ];
    expect(await apply(settings)).toEqual({
      parts: {
        bios: [
          { name: 'Boot', value: 'bios', attributes: { default_value: 'bios' } },
          told.bios[1],
          { name: 'Cores', value: '4' },
        ],
      },
    });
  });

  it('leave a setting alone that can only be read', async () => {
    await expect(apply([{ name: 'Serial', value: '8' }])).rejects.toThrow('Serial can only be read');
  });

  it.each([undefined, null, []])('change nothing with %j, as clients send it who have no wish', async (settings) => {
    expect(await apply(settings)).toEqual({ parts: { bios: told.bios } });
  });

  it.each(['x', [1], [{ value: '1' }], [{ name: '' }]])('refuse %j', async (settings) => {
    await expect(apply(settings)).rejects.toThrow('args/settings of the step bios.apply_configuration');
  });

  it('bring back what the machine came with, or the default that it tells of', async () => {
    const fake = {
      bios: [
        { name: 'Boot', value: 'uefi', default_value: 'bios' },
        { name: 'Cores', value: '2' },
      ],
    };
    expect(await take('bios', 'factory_reset', undefined, { told, fake })).toEqual({
      parts: {
        bios: [
          { name: 'Boot', value: 'bios', attributes: { default_value: 'bios' } },
          { name: 'Cores', value: '2' },
        ],
      },
    });
  });
});

describe('the step of the fake firmware interface', () => {
  const told = {
    firmware: [
      { component: 'bmc', current_version: '1.0', vendor: 'Us', model: null, serial_number: null },
      { component: 'bios', current_version: '3' },
    ],
  };
  const update = (settings: unknown) => take('firmware', 'update', { settings } as JsonObject, { told });

  it.each([
    ['https://files.example/a/bmc-2.1.bin?sig=1', 'bmc-2.1'],
    ['https://files.example/2.1', '2.1'],
  ])('flashes what %s holds', async (url, version) => {
    expect(await update([{ component: 'bmc', url }])).toEqual({
      parts: { firmware: [{ ...told.firmware[0], current_version: version }, told.firmware[1]] },
    });
  });

  it('takes a version by its name', async () => {
    const { parts } = await update([{ component: 'bios', version: '4' }]);
    expect(parts?.firmware?.[1]?.current_version).toBe('4');
  });

  it('knows the components of the machine', async () => {
    await expect(update([{ component: 'nic', version: '4' }])).rejects.toThrow('no firmware component nic');
    await expect(update([{ component: 'bmc', url: 'https://files.example/' }])).rejects.toThrow('a url or a version');
  });
});

describe('steps of the fake RAID interface', () => {
  const root = { size_gb: 100, raid_level: '1', is_root_volume: true };
  const data = { size_gb: 'MAX', raid_level: '5', volume_name: 'volume-1' };
  const wanted = { logical_disks: [root, data] };
  const create = (args: JsonObject, given: Given = { wanted }) => take('raid', 'create_configuration', args, given);

  it('make what is wanted, and name what has no name', async () => {
    expect(await create({})).toEqual({ raidConfig: { logical_disks: [{ ...root, volume_name: 'volume-2' }, data] } });
  });

  it('leave out what they are told to', async () => {
    expect(await create({ create_root_volume: false })).toEqual({ raidConfig: { logical_disks: [data] } });
    expect(await create({ create_nonroot_volumes: false })).toEqual({
      raidConfig: { logical_disks: [{ ...root, volume_name: 'volume-1' }] },
    });
    const none = create({ create_root_volume: false, create_nonroot_volumes: false });
    await expect(none).rejects.toThrow('nothing is left');
  });

  it('put it in the place of what was there, or beside it', async () => {
    const old = { size_gb: 1, raid_level: '0', volume_name: 'old' };
    const given = { wanted: { logical_disks: [data] }, there: { logical_disks: [old] } };
    expect(await create({}, given)).toEqual({ raidConfig: { logical_disks: [data] } });
    expect(await create({ delete_existing: false }, given)).toEqual({ raidConfig: { logical_disks: [old, data] } });
  });

  it('make nothing of no wish, and delete what there is', async () => {
    await expect(create({}, {})).rejects.toThrow('no target_raid_config');
    expect(await take('raid', 'delete_configuration', undefined, { there: wanted })).toEqual({ raidConfig: {} });
  });
});

describe('any step of a fake interface', () => {
  it('does nothing by another name, as by that of an inherited member', async () => {
    expect(await take('bios', 'polish', undefined, {})).toEqual({});
    expect(await take('raid', 'constructor', undefined, {})).toEqual({});
  });

  it('waits and fails as the script or its arguments say', async () => {
    expect(await take('raid', 'delete_configuration', { waits: true }, {})).toEqual({
      raidConfig: {},
      waits: { abortable: true },
    });
    const fake = { 'manual clean': { fails: 'no controller' } };
    await expect(take('raid', 'delete_configuration', undefined, { fake })).rejects.toThrow('no controller');
  });
});
