import { TRAITS_MAX, traitsAfter } from '.';
import type { TraitsChange } from '.';

const many = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `CUSTOM_${String(n).padStart(3, '0')}`);
const codeOf = (before: readonly string[], change: TraitsChange): string => {
  try {
    traitsAfter(before, change);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('traits', () => {
  it.each<[TraitsChange, readonly string[]]>([
    [{ set: ['CUSTOM_B', 'CUSTOM_A', 'CUSTOM_B'] }, ['CUSTOM_A', 'CUSTOM_B']],
    [{ set: [] }, []],
    [{ add: 'HW_CPU_X86_VMX' }, ['CUSTOM_X', 'CUSTOM_Y', 'HW_CPU_X86_VMX']],
    [{ add: 'CUSTOM_X' }, ['CUSTOM_X', 'CUSTOM_Y']],
    [{ remove: 'CUSTOM_X', mustExist: true }, ['CUSTOM_Y']],
    [{ remove: 'CUSTOM_Z', mustExist: false }, ['CUSTOM_X', 'CUSTOM_Y']],
  ])('after %j are sorted and each there once', (change, after) => {
    expect(traitsAfter(['CUSTOM_X', 'CUSTOM_Y'], change)).toEqual(after);
  });

  it.each<[TraitsChange, string]>([
    [{ set: ['nope'] }, 'INVALID_PARAMETER'],
    [{ set: ['FAST_DISK'] }, 'INVALID_PARAMETER'],
    [{ set: ['CUSTOM_'] }, 'INVALID_PARAMETER'],
    [{ set: ['HW_CPU_X86_AVX10'] }, 'accepted'],
    [{ set: [`CUSTOM_${'A'.repeat(249)}`] }, 'INVALID_PARAMETER'],
    [{ set: [`CUSTOM_${'A'.repeat(248)}`] }, 'accepted'],
    [{ add: '' }, 'INVALID_PARAMETER'],
    [{ add: 'CUSTOM-A' }, 'INVALID_PARAMETER'],
    [{ remove: 'CUSTOM_Z', mustExist: true }, 'RESOURCE_NOT_FOUND'],
    [{ set: many(TRAITS_MAX) }, 'accepted'],
    [{ set: many(TRAITS_MAX + 1) }, 'INVALID_PARAMETER'],
  ])('%j is %s', (change, code) => {
    expect(codeOf(['CUSTOM_X'], change)).toBe(code);
  });

  it('are never more than the limit, however they come', () => {
    expect(codeOf(many(TRAITS_MAX), { add: 'CUSTOM_ONE_MORE' })).toBe('INVALID_PARAMETER');
    expect(codeOf(many(TRAITS_MAX), { add: 'CUSTOM_001' })).toBe('accepted');
  });
});
