/** Every report has a test that begins with its id. */
import { join } from 'node:path';
import families from './ids.json';
import { idsInTitles, testedIds } from './titles';

const tested = testedIds(join(__dirname, '..', '..'));

describe.each(Object.entries(families))('family %s', (family, ids) => {
  it('is tested', () => {
    expect(ids.filter((id) => !tested.has(id))).toEqual([]);
  });

  it('lists its ids once, in order', () => {
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.every((id) => id.startsWith(`${family}-`))).toBe(true);
  });
});

it('finds ids in titles, and not in those of tests that are switched off', () => {
  const text = `
    it('TMO-01: one', () => undefined);
    it.each([1])('ABT-01, ABT-02: %i', () => undefined);
    describe(\`CBK-01: \${name}\`, () => { it('has a part', () => undefined); });
    it.skip('NAT-01: off', () => undefined);
    test.todo('NAT-02: later');
    it('is about NAT-03: elsewhere', () => undefined);
    say('NAT-04: nothing');
  `;
  expect(idsInTitles(text)).toEqual(['TMO-01', 'ABT-01', 'ABT-02', 'CBK-01']);
});
