import * as fc from 'fast-check';
import { sameJson } from '.';

describe('equality of JSON', () => {
  it.each([
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [{ a: undefined }, {}],
    [[], []],
    [null, null],
    ['1', '1'],
  ])('%j is %j', (one, other) => {
    expect(sameJson(one, other)).toBe(true);
    expect(sameJson(other, one)).toBe(true);
  });

  it.each([
    [1, '1'],
    [null, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: null }, {}],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [JSON.parse('{"__proto__": 1}'), {}],
    [0, false],
  ])('%j is not %j', (one: unknown, other: unknown) => {
    expect(sameJson(one, other)).toBe(false);
    expect(sameJson(other, one)).toBe(false);
  });

  it('holds for whatever was text, and for nothing that reads otherwise', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(sameJson(one, JSON.parse(JSON.stringify(one)))).toBe(true);
        if (JSON.stringify(one) === JSON.stringify(other)) expect(sameJson(one, other)).toBe(true);
      }),
    );
  });
});
