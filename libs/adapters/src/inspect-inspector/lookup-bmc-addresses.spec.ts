import { ManualClock } from '@lib/testing/manual-clock';
import { lookupBmcAddresses } from './lookup-bmc-addresses';
import type { ResolveHost } from './lookup-bmc-addresses';

const names: Readonly<Record<string, readonly string[]>> = {
  'bmc.example': ['192.0.2.10', '2001:db8::10'],
  'mixed.example': ['127.0.0.1', '192.0.2.11'],
  localhost: ['127.0.0.1', '::1'],
  'empty.example': [],
};

function world(
  resolveHost: ResolveHost = (host) =>
    names[host] ? Promise.resolve(names[host]) : Promise.reject(new Error('ENOTFOUND')),
) {
  const clock = new ManualClock();
  const logger = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const find = (driverInfo: Record<string, unknown>) =>
    lookupBmcAddresses(driverInfo, 'n', { resolveHost, clock, logger });
  return { clock, logger, find };
}

describe('addresses by which a BMC is looked up', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['an address', { ipmi_address: '192.0.2.1' }, ['192.0.2.1']],
    ['an address in brackets', { ipmi_address: '[2001:db8::1]' }, ['2001:db8::1']],
    ['a URL', { redfish_address: 'https://192.0.2.2:8443/redfish/v1' }, ['192.0.2.2']],
    ['a URL with an IPv6 address', { redfish_address: 'https://[2001:db8::2]:8443' }, ['2001:db8::2']],
    ['a URL that carries a login', { redfish_address: 'https://root:calvin@192.0.2.3/' }, ['192.0.2.3']],
    ['a URL without scheme', { redfish_address: '//192.0.2.4/redfish' }, ['192.0.2.4']],
    [
      'a name: its addresses and the name',
      { ilo_address: 'bmc.example' },
      ['192.0.2.10', '2001:db8::10', 'bmc.example'],
    ],
    ['a name, partly loopback', { ilo_address: 'mixed.example' }, ['192.0.2.11', 'mixed.example']],
    ['loopback in any form', { a_address: '127.0.0.1', b_address: '[::1]', c_address: 'http://localhost:8000' }, []],
    ['other keys', { redfish_system_id: '192.0.2.5', address: '192.0.2.6', redfish_address_x: '192.0.2.7' }, []],
    ['the same machine twice', { redfish_address: 'https://192.0.2.8', ipmi_address: '192.0.2.8' }, ['192.0.2.8']],
    [
      'IPMI through a bridge',
      { ipmi_address: '192.0.2.9', ipmi_bridging: 'single', x_address: '192.0.2.12' },
      ['192.0.2.12'],
    ],
    ['IPMI without a bridge', { ipmi_address: '192.0.2.9', ipmi_bridging: 'no' }, ['192.0.2.9']],
    ['values that are no text', { a_address: 5, b_address: null, c_address: {}, d_address: '' }, []],
  ])('of %s', async (_what, driverInfo, wanted) => {
    const { find, logger } = world();
    expect(await find(driverInfo)).toEqual(wanted);
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it.each(['nowhere.example', 'empty.example'])(
    'leaves out %s, which does not resolve, with a warning',
    async (host) => {
      const { find, logger } = world();
      expect(await find({ a_address: host, b_address: '192.0.2.1' })).toEqual(['192.0.2.1']);
      expect(logger.warn).toHaveBeenCalledWith({ node: 'n', host }, expect.any(String));
    },
  );

  it('waits five seconds for all names together', async () => {
    const { clock, find, logger } = world(() => new Promise(() => undefined));
    const found = find({ a_address: 'one.example', b_address: 'two.example', c_address: '192.0.2.1' });
    await clock.advanceBy(5000);
    expect(await found).toEqual(['192.0.2.1']);
    expect(logger.warn).toHaveBeenCalledTimes(2);
    expect(clock.pending()).toBe(0);
  });
});
