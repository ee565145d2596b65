import {
  bmcHostOf,
  isInNetwork,
  isLoopback,
  normaliseMac,
  parseIp,
  parseNetwork,
  pxeMacOf,
  usableBmcAddresses,
} from './addresses';

describe('addresses', () => {
  it.each([
    ['52:54:00:AA:01:16', '52:54:00:aa:01:16'],
    ['52-54-00-ab-22-04', null],
    ['50:06:01:60:3b:e0:12:aa', null],
    ['not-a-mac', null],
    [null, null],
  ])('takes MAC %s as %s', (text, mac) => expect(normaliseMac(text)).toBe(mac));

  it.each([
    ['01-3c-ec-ef-10-2a-40', '3c:ec:ef:10:2a:40'],
    ['3C:EC:EF:10:2A:40', '3c:ec:ef:10:2a:40'],
    [undefined, null],
  ])('reads the PXE NIC %s as %s', (text, mac) => expect(pxeMacOf(text)).toBe(mac));

  it('drops what a BMC says when it has no address', () => {
    expect(usableBmcAddresses('0.0.0.0', '::/0', '', null, '192.0.2.1')).toEqual(['192.0.2.1']);
  });

  it.each([
    [{ ipmi_address: '192.0.2.7', redfish_address: 'https://other' }, '192.0.2.7'],
    [{ ipmi_address: '', redfish_address: 'https://user:pw@bmc.example:8443/redfish/v1' }, 'bmc.example'],
    [{ redfish_address: 'https://[2001:db8::7]:443' }, '2001:db8::7'],
    [{ drac_host: '2001:db8::8' }, '2001:db8::8'],
    [{ username: 'x' }, null],
  ])('finds the BMC of %j: %s', (driverInfo, host) => expect(bmcHostOf(driverInfo)).toBe(host));

  it.each([
    ['192.0.2.77', '192.0.2.0/24', true],
    ['192.0.3.1', '192.0.2.0/24', false],
    ['2001:db8:7::10', '2001:db8:7::/48', true],
    ['192.0.2.1', '2001:db8::/32', false],
    ['fe80::1%eth0', 'fe80::/10', true],
  ])('%s in %s: %s', (ip, network, inside) => {
    expect(isInNetwork(parseIp(ip)!, parseNetwork(network)!)).toBe(inside);
  });

  it.each(['1.2.3', '1.2.3.256', '1::2::3', ':1', '12345::', 'x', ''])('takes "%s" for no address', (text) => {
    expect(parseIp(text)).toBeNull();
  });

  it('tells loopback from the rest', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '128.0.0.1', '::2'].map(isLoopback)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(['192.0.2.0/33', '192.0.2.0/x', '192.0.2.0/24/1', 'x/8'])('takes "%s" for no network', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });
});
