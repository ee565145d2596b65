import { systemChance } from '@lib/adapters/system-clock';
import { transportBox } from './transport-box';

const master = systemChance.bytes(32);

describe('transportBox', () => {
  it('opens in one service what another sealed', () => {
    const sealed = transportBox(master, systemChance).seal({ password: 'geheim' });
    expect(JSON.stringify(sealed)).not.toContain('geheim');
    expect(transportBox(master, systemChance).open(sealed)).toEqual({ password: 'geheim' });
  });

  it('tells texts apart, the same way in every service, and not for a stranger', () => {
    const [one, two, stranger] = [master, master, systemChance.bytes(32)].map((key) => transportBox(key, systemChance));
    expect(one?.fingerprint('geheim')).toBe(two?.fingerprint('geheim'));
    expect(one?.fingerprint('geheim')).not.toBe(one?.fingerprint('geheim '));
    expect(one?.fingerprint('geheim')).not.toBe(stranger?.fingerprint('geheim'));
  });

  it('opens nothing of a stranger, and nothing that was changed', () => {
    const box = transportBox(master, systemChance);
    expect(() => box.open(transportBox(systemChance.bytes(32), systemChance).seal('x'))).toThrow();
    const sealed = box.seal('x');
    expect(() => box.open({ ...sealed, data: Buffer.from('other').toString('base64') })).toThrow();
  });
});
