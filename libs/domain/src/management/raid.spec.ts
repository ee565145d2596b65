import { logicalDiskProperties, raidConfigProblem } from './raid';

const disk = { raid_level: '1', size_gb: 100 };
const config = (...disks: unknown[]) => ({ logical_disks: disks });

describe('a wanted RAID configuration', () => {
  it.each([
    [{}],
    [config(disk)],
    [config({ ...disk, size_gb: 'MAX', is_root_volume: true }, { ...disk, is_root_volume: false })],
    [
      config({
        ...disk,
        volume_name: 'v',
        share_physical_disks: true,
        disk_type: 'ssd',
        interface_type: 'sas',
        number_of_physical_disks: 2,
        controller: 'c',
        physical_disks: ['a', 'b'],
      }),
    ],
  ])('may be %j', (given) => {
    expect(raidConfigProblem(given)).toBeNull();
  });

  it.each([
    [config(), 'not empty'],
    [{ logical_disks: 'x' }, 'list'],
    [{ logical_disks: null }, 'list'],
    [{ disks: [] }, 'unknown property disks'],
    [config('x'), 'logical_disks[0] must be an object'],
    [config({ size_gb: 1 }), 'lacks raid_level'],
    [config(disk, { raid_level: '0' }), 'logical_disks[1] lacks size_gb'],
    [config({ ...disk, raid_level: 1 }), 'raid_level of logical_disks[0] must be one of'],
    [config({ ...disk, raid_level: '7' }), 'must be one of'],
    [config({ ...disk, size_gb: 0 }), 'positive integer or MAX'],
    [config({ ...disk, size_gb: '100' }), 'positive integer or MAX'],
    [config({ ...disk, volume_name: '' }), 'volume_name'],
    [config({ ...disk, is_root_volume: 'yes' }), 'boolean'],
    [config({ ...disk, is_root_volume: true }, { ...disk, is_root_volume: true }), 'at most one'],
    [config({ ...disk, number_of_physical_disks: 1.5 }), 'positive integer'],
    [config({ ...disk, physical_disks: [] }), 'not empty'],
    [config({ ...disk, colour: 'red' }), 'unknown property colour'],
    [config({ ...disk, constructor: 'x' }), 'unknown property constructor'],
    [config({ constructor: 'x' }), 'lacks raid_level'],
  ])('may not be %j', (given, text) => {
    expect(raidConfigProblem(given)).toContain(text);
  });

  it('says for people what a logical disk may say', () => {
    expect(Object.keys(logicalDiskProperties)).toHaveLength(10);
    for (const text of Object.values(logicalDiskProperties)) expect(text).toMatch(/[.]$/);
  });
});
