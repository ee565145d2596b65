import type { NodeFields } from '@lib/domain';
import type { HardwareRegistry } from '@lib/ports';
import { stepTaker } from './step-taker';

const fields = { bios_interface: 'b', firmware_interface: 'f', raid_interface: 'r' } as NodeFields;
const takes = (name: string) => ({ takeStep: async () => ({ raidConfig: { by: name } }) });
const hardware = {
  parts: (kind: string, name: string) => takes(`${kind} ${name}`),
  raid: (name: string) => takes(`raid ${name}`),
} as unknown as HardwareRegistry;
const takerOf = (kind: string, registry = hardware) => stepTaker({ interface: kind, step: 's' }, fields, registry);

it.each([
  ['bios', 'bios b'],
  ['firmware', 'firmware f'],
  ['raid', 'raid r'],
])('a step of %s is taken by that interface of the node', async (kind, by) => {
  expect(await takerOf(kind)?.(null!, null!, null!)).toEqual({ raidConfig: { by } });
});

it.each(['deploy', 'management', 'power', 'vendor'])('a step of %s is left to who does the work', (kind) => {
  expect(takerOf(kind)).toBeNull();
});

it('an interface that knows no steps says so', () => {
  const without = { parts: () => null, raid: () => ({}) } as unknown as HardwareRegistry;
  expect(() => takerOf('bios', without)).toThrow('the bios interface b has no steps');
  expect(() => takerOf('raid', without)).toThrow('the raid interface r has no steps');
});
