import { negotiate } from './negotiate';

const ironic = (value: string) => negotiate({ 'x-openstack-ironic-api-version': value });
const standard = (value: string, other?: string) =>
  negotiate({ 'openstack-api-version': value, 'x-openstack-ironic-api-version': other });
const agreed = (minor: number, explicit = true) => ({ outcome: 'agreed', minor, explicit });

describe('negotiate', () => {
  it('answers in 1.1 when nothing, or an empty header, is sent', () => {
    expect(negotiate({})).toEqual(agreed(1, false));
    expect(ironic('')).toEqual(agreed(1, false));
  });

  it.each([
    ['1.1', 1],
    ['1.115', 115],
    [' 1.39 ', 39],
    ['1.039', 39],
    ['latest', 115],
    ['LATEST', 115],
    ['1.39, 1.40', 40],
  ])('reads %j as 1.%d', (text, minor) => expect(ironic(text)).toEqual(agreed(minor)));

  it.each(['1.0', '0.1', '0.0', '2.0', '1.116', '1.999', '-1.1', '1.-1'])('does not serve %j', (text) =>
    expect(ironic(text)).toEqual({ outcome: 'unsupported', asked: text }),
  );

  it.each(['1', '1.39.0', '1.x', 'x.1', 'abc', '1,39', 'v1.39'])('cannot read %j', (text) =>
    expect(ironic(text).outcome).toBe('unparsable'),
  );

  it.each([
    ['baremetal 1.39', 39],
    ['Baremetal 1.39', 39],
    ['compute 2.1, baremetal 1.39', 39],
    ['baremetal 1.39, compute 2.1', 39],
    ['baremetal latest', 115],
  ])('obeys the standard header %j', (text, minor) => expect(standard(text)).toEqual(agreed(minor)));

  it.each(['baremetal', '1.39', 'latest', 'compute 2.1'])('takes the standard header %j as absent', (text) => {
    expect(standard(text)).toEqual(agreed(1, false));
    expect(standard(text, '1.38')).toEqual(agreed(38));
  });

  it('lets the standard header win, whatever the other says', () => {
    expect(standard('baremetal 1.41', '1.38')).toEqual(agreed(41));
    expect(standard('baremetal 1.41', '1.999')).toEqual(agreed(41));
    expect(standard('baremetal 1.999', '1.39').outcome).toBe('unsupported');
    expect(standard('baremetal abc').outcome).toBe('unparsable');
  });
});
