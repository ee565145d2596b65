import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessOf, accessProblem } from './driver-info';

const defaults = { authType: 'auto', verifyCa: true } as const;
const read = (info: Record<string, unknown>) => accessOf({ redfish_address: 'bmc1', ...info }, defaults);
const problem = (info: Record<string, unknown>) => accessProblem({ redfish_address: 'bmc1', ...info }, defaults);

describe('driver_info of redfish', () => {
  it.each([
    ['bmc1', 'https://bmc1', '/redfish/v1/'],
    ['http://bmc1:8000', 'http://bmc1:8000', '/redfish/v1/'],
    ['192.0.2.7:8443', 'https://192.0.2.7:8443', '/redfish/v1/'],
    ['2001:db8:7::10', 'https://[2001:db8:7::10]', '/redfish/v1/'],
    ['https://[2001:db8:7::10]:8443', 'https://[2001:db8:7::10]:8443', '/redfish/v1/'],
    ['https://bmc1/', 'https://bmc1', '/redfish/v1/'],
    ['https://bmc1/rack7/redfish/v1', 'https://bmc1', '/rack7/redfish/v1/'],
  ])('the address %s is %s with the root %s', (redfish_address, origin, root) => {
    expect(read({ redfish_address })).toMatchObject({ origin, root });
  });

  it.each([undefined, null, ''])('an address that is %p is missing', (redfish_address) => {
    expect(problem({ redfish_address })).toMatch('lacks redfish_address');
  });

  it('that went bad after it was checked is told of in its own words', () => {
    // What carries another name is told of as a bug.
    expect(() => read({ redfish_address: '' })).toThrow(expect.objectContaining({ name: 'HardwareError' }));
  });

  it.each([7, 'ftp://bmc1', 'https://', 'bmc 1', 'https://user:word@bmc1', ['bmc1'], 'https://bmc1:99999'])(
    'the address %p is refused',
    (redfish_address) => {
      expect(problem({ redfish_address })).toMatch('redfish_address');
    },
  );

  it('quotes the path of the system once', () => {
    expect(read({ redfish_system_id: '/redfish/v1/Systems/a b' }).systemPath).toBe('/redfish/v1/Systems/a%20b');
    expect(read({ redfish_system_id: '/redfish/v1/Systems/a%20b' }).systemPath).toBe('/redfish/v1/Systems/a%20b');
    expect(read({}).systemPath).toBeNull();
    expect(problem({ redfish_system_id: 1 })).toMatch('redfish_system_id');
  });

  it('takes no account for none', () => {
    expect(read({}).account).toBeNull();
    expect(read({ redfish_username: 'op' }).account).toEqual({ username: 'op', password: '' });
    expect(problem({ redfish_username: 'op', redfish_password: 5 })).toMatch('redfish_password');
  });

  it.each([
    [true, true],
    ['True', true],
    ['yes', true],
    [undefined, true],
    [false, false],
    ['false', false],
    ['off', false],
  ])('redfish_verify_ca %p is %p', (redfish_verify_ca, verify) => {
    expect(read({ redfish_verify_ca }).verify).toBe(verify);
  });

  it('takes a path that exists, and lets the settings say who is trusted where it is true', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ca-'));
    expect(read({ redfish_verify_ca: folder }).verify).toBe(folder);
    expect(
      accessOf({ redfish_address: 'b', redfish_verify_ca: 'true' }, { ...defaults, verifyCa: folder }).verify,
    ).toBe(folder);
    rmSync(folder, { recursive: true });
    expect(problem({ redfish_verify_ca: folder })).toMatch('does not exist');
    expect(problem({ redfish_verify_ca: 1 })).toMatch('redfish_verify_ca');
  });

  it('takes the three ways to authenticate', () => {
    expect(
      ['basic', 'session', 'AUTO', undefined].map((redfish_auth_type) => read({ redfish_auth_type }).authType),
    ).toEqual(['basic', 'session', 'auto', 'auto']);
    expect(problem({ redfish_auth_type: 'kerberos' })).toMatch('redfish_auth_type');
    expect(problem({ redfish_auth_type: true })).toMatch('redfish_auth_type');
  });

  it('takes a lowest version of TLS, as a text or as the number that clients make of it', () => {
    expect(read({}).tls).toEqual({});
    const versions = ['1.1', 1.2, '1.3', null].map(
      (redfish_tls_minimum_version) => read({ redfish_tls_minimum_version }).tls,
    );
    expect(versions).toEqual([{ minVersion: 'TLSv1.1' }, { minVersion: 'TLSv1.2' }, { minVersion: 'TLSv1.3' }, {}]);
    for (const redfish_tls_minimum_version of ['1.0', '1.4', 'TLSv1.2', 2, true, ''])
      expect(problem({ redfish_tls_minimum_version })).toMatch('redfish_tls_minimum_version');
  });

  it('takes ciphers that OpenSSL knows', () => {
    const redfish_tls_ciphers = 'ECDHE-RSA-AES256-GCM-SHA384:!aNULL';
    expect(read({ redfish_tls_ciphers }).tls).toEqual({ ciphers: redfish_tls_ciphers });
    for (const odd of ['NO-SUCH-CIPHER', '', 7, ['AES128-SHA']])
      expect(problem({ redfish_tls_ciphers: odd })).toMatch('redfish_tls_ciphers');
  });

  it.each(['127.0.0.1', '[::1]', 'localhost', 'http://127.0.0.1:8000'])('a BMC at %s is one like others', (address) => {
    expect(problem({ redfish_address: address })).toBeNull();
  });
});
