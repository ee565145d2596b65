import type { Machine } from '@lib/ports';
import { fakeParts } from './fake-parts';

const told = async (fake: unknown) => {
  const machine = { extra: { fake } } as unknown as Machine;
  const call = { signal: new AbortController().signal, stillStands: () => Promise.resolve() };
  return { ...(await fakeParts.bios.read(machine, call)), ...(await fakeParts.firmware.read(machine, call)) };
};

describe('the parts of a fake machine', () => {
  it('are what its script says', async () => {
    const bios = [
      { name: 'a', value: 1, unique: false },
      { name: 'b', value: { odd: true } },
    ];
    const firmware = [{ component: 'bmc', current_version: '1.2', vendor: 'Us', colour: 'red' }];
    expect(await told({ bios, firmware })).toEqual({
      bios: [
        { name: 'a', value: '1', attributes: { unique: false } },
        { name: 'b', value: null },
      ],
      firmware: [{ component: 'bmc', current_version: '1.2', vendor: 'Us', model: null, serial_number: null }],
    });
  });

  it.each([[undefined], ['x'], [{ bios: 'x', firmware: { component: 'bmc' } }], [{ bios: [1, {}, { name: '' }] }]])(
    'are none of %j',
    async (script) => {
      expect(await told(script)).toEqual({ bios: [], firmware: [] });
    },
  );

  it('have each name once', async () => {
    const bios = [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ];
    expect((await told({ bios })).bios).toEqual([{ name: 'a', value: '2' }]);
  });
});
