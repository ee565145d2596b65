import type { ConductorRow } from '@lib/ports';
import { uuidOf } from '../../../../test/world';
import { hostOf } from './place';

describe('the share of a conductor', () => {
  const row = (hostname: string, rest: Partial<ConductorRow> = {}): ConductorRow => ({
    id: hostname,
    hostname,
    conductorGroup: '',
    drivers: ['redfish'],
    online: true,
    capabilities: '{}',
    createdAt: 0,
    updatedAt: 0,
    ...rest,
  });
  const node = (index: number) => ({ uuid: uuidOf(index), driver: 'redfish', conductor_group: '' });
  const many = Array.from({ length: 60 }, (_, index) => node(index));

  it('is a part of the nodes, all of them together are all, and who leaves moves only its own', () => {
    const three = [row('a'), row('b'), row('c')];
    const of = (rows: ConductorRow[]) => many.map((one) => hostOf(one, rows));
    expect(new Set(of(three))).toEqual(new Set(['a', 'b', 'c']));
    const before = of(three);
    of([row('a'), row('c')]).forEach((host, index) => {
      if (before[index] !== 'b') expect(host).toBe(before[index]);
    });
  });

  it('is nothing of another group or driver', () => {
    expect(hostOf(node(1), [row('a', { conductorGroup: 'x' }), row('b', { drivers: [] })])).toBeNull();
    expect(hostOf(node(1), [row('a', { conductorGroup: 'x' }), row('b')])).toBe('b');
  });
});
