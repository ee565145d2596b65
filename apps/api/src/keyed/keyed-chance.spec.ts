import { transportBox } from '@lib/adapters/secret-box';
import { systemChance } from '@lib/adapters/system-clock';
import { keyedChance } from './keyed-chance';

const box = (byte: number) => transportBox(new Uint8Array(32).fill(byte), systemChance);
const drawn = (commandId: string, masterKey = 1) => {
  const chance = keyedChance(commandId, box(masterKey), systemChance);
  return [chance.uuid(), chance.uuid(), Buffer.from(chance.bytes(48)).toString('hex')];
};

describe('chance under a key', () => {
  it('draws the same again, another thing each time', () => {
    expect(drawn('c')).toEqual(drawn('c'));
    expect(new Set([...drawn('c'), ...drawn('d')]).size).toBe(6);
    expect(drawn('c')[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(drawn('c')[2]).toHaveLength(96);
  });

  it('is known to nobody without the master key', () => {
    expect(drawn('c', 2)).not.toEqual(drawn('c', 1));
  });
});
