import { noParts, partsAfter } from './parts';

describe('what is known of the parts of a machine', () => {
  const virtualization = { name: 'Virtualization', value: 'on' };
  const first = partsAfter(
    noParts,
    { bios: [virtualization], firmware: [{ component: 'bmc', current_version: '1' }] },
    10,
  );

  it('is what it told, and when that was', () => {
    expect(first).toEqual({
      bios: [{ ...virtualization, createdAt: 10, updatedAt: null }],
      firmware: [
        {
          component: 'bmc',
          current_version: '1',
          initial_version: '1',
          last_version_flashed: null,
          createdAt: 10,
          updatedAt: null,
        },
      ],
    });
  });

  it('changes with what it tells', () => {
    const same = partsAfter(
      first,
      { bios: [virtualization], firmware: [{ component: 'bmc', current_version: '1' }] },
      20,
    );
    expect(same).toEqual(first);
    const other = partsAfter(
      same,
      { bios: [{ ...virtualization, value: 'off' }], firmware: [{ component: 'bmc', current_version: '2' }] },
      30,
    );
    expect(other.bios).toEqual([{ name: 'Virtualization', value: 'off', createdAt: 10, updatedAt: 30 }]);
    expect(other.firmware).toMatchObject([
      { initial_version: '1', current_version: '2', last_version_flashed: '2', createdAt: 10, updatedAt: 30 },
    ]);
  });

  it('stays where it says nothing, and goes where it tells that there is nothing', () => {
    expect(partsAfter(first, {}, 20)).toEqual(first);
    expect(partsAfter(first, { bios: [] }, 20)).toEqual({ ...first, bios: [] });
  });
});
