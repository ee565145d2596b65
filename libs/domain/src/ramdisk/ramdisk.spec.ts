import { addressKey, bmcAddressesIn, findNode, macsIn, usableMacs } from '.';
import type { Candidates, Readiness } from '.';

const found = (candidates: Partial<Candidates>, states: Readonly<Record<string, Readiness>> = {}) =>
  findNode({ asked: null, byMac: [], byBmc: [], ...candidates }, (node) => states[node] ?? 'yes').node;

describe('the node of a ramdisk (contract: inspection.md §6.3)', () => {
  it.each<[string, Partial<Candidates>, string | null]>([
    ['is the one that was named', { asked: 'a' }, 'a'],
    ['owns a port with one of the MACs', { byMac: ['a'] }, 'a'],
    ['owns several of them', { byMac: ['a', 'a'] }, 'a'],
    ['is nobody when the MACs belong to two', { byMac: ['a', 'b'] }, null],
    ['is named and owns the MACs', { asked: 'a', byMac: ['a'] }, 'a'],
    ['is nobody when another one owns the MACs', { asked: 'a', byMac: ['b'] }, null],
    ['has the BMC', { byBmc: ['a'] }, 'a'],
    ['is nobody when several share the BMC (LKP-04)', { byBmc: ['a', 'b'] }, null],
    ['owns the MACs and is one of those that share the BMC', { byMac: ['b'], byBmc: ['a', 'b'] }, 'b'],
    ['is nobody when the BMC is that of another one (LKP-11)', { byMac: ['a'], byBmc: ['b'] }, null],
    ['is nobody when it is named and the BMC is that of another one', { asked: 'a', byBmc: ['b'] }, null],
    ['is nobody when nothing matches', {}, null],
  ])('%s', (_what, candidates, node) => {
    expect(found(candidates)).toBe(node);
  });

  it('has to wait for data, or to be about to', () => {
    expect(found({ byMac: ['a'] }, { a: 'no' })).toBeNull();
    expect(found({ asked: 'a' }, { a: 'no' })).toBeNull();
    expect(found({ byMac: ['a'] }, { a: 'soon' })).toBe('a');
  });

  it('that is about to wait is not among those whose BMC counts yet', () => {
    expect(found({ byMac: ['a'], byBmc: ['b'] }, { a: 'soon' })).toBe('a');
  });

  it('is not guessed: the reason is for the log', () => {
    const verdict = findNode({ asked: 'a', byMac: ['b'], byBmc: [] }, () => 'yes');
    expect(verdict).toEqual({ node: null, reason: expect.stringContaining('a was named') });
  });
});

describe('addresses in an inventory', () => {
  it('are usable MACs, in one case, each once (LKP-01)', () => {
    const interfaces = [
      { mac_address: '52:54:00:AB:00:01' },
      { mac_address: '52:54:00:ab:00:01' },
      { mac_address: '80:00:02:08:fe:80:00:00:00:00:00:00:52:54:00:03:00:ab:10:0f' },
      { mac_address: '' },
      {},
      null,
    ];
    expect(usableMacs(macsIn({ interfaces }))).toEqual(['52:54:00:ab:00:01']);
    expect(usableMacs(macsIn({}))).toEqual([]);
    expect(macsIn({ interfaces: Array.from({ length: 5000 }, () => ({ mac_address: 'x' })) })).toHaveLength(1000);
  });

  it.each([
    [{ bmc_address: '192.0.2.1', bmc_v6address: '2001:db8::1' }, ['192.0.2.1', '2001:db8::1']],
    [{ bmc_address: '0.0.0.0', bmc_v6address: '::/0' }, []],
    [{ bmc_address: '', bmc_v6address: '::' }, []],
    [{ bmc_address: null }, []],
    [{}, []],
    [{ bmc_address: '127.0.0.1', bmc_v6address: '::1' }, []],
    [{ bmc_address: 'b'.repeat(255), bmc_v6address: 'b'.repeat(256) }, ['b'.repeat(255)]],
  ])('of the BMC in %j (LKP-06, LKP-07)', (inventory, addresses) => {
    expect(bmcAddressesIn(inventory)).toEqual(addresses);
  });

  it('are compared by what they mean (LKP-09)', () => {
    expect(addressKey('FD00:0::5')).toBe(addressKey('fd00::5'));
    expect(addressKey('192.0.2.1')).not.toBe(addressKey('::c000:201'));
    expect(addressKey('BMC.example')).toBe('bmc.example');
  });
});
