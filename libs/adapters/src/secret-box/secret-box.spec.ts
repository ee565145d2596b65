import { randomBytes, randomUUID } from 'node:crypto';
import type { Sealed } from '@lib/ports';
import { memoryKeyStore, secretBox } from '.';

const chance = { uuid: () => randomUUID(), bytes: (length: number) => randomBytes(length) };

describe('a secret box', () => {
  const keys = memoryKeyStore();
  const masterKey = randomBytes(32);
  const box = secretBox({ masterKey, keys, chance });

  it.each([['text'], ['ä🦀'.repeat(10_000)], [''], [null], [0], [{ list: [1, { deep: 'x' }] }]])(
    'opens what it sealed: %p',
    async (value) => {
      const sealed = await box.seal(await box.newKey(), value);
      expect(await box.open(JSON.parse(JSON.stringify(sealed)) as Sealed)).toEqual(value);
    },
  );

  it('shows nothing of the value, and seals it differently each time', async () => {
    const keyId = await box.newKey();
    const [one, two] = await Promise.all([box.seal(keyId, 'open sesame'), box.seal(keyId, 'open sesame')]);
    expect(one.sealed).toBe(keyId);
    expect(one.iv).not.toBe(two.iv);
    expect(one.data).not.toBe(two.data);
    expect(Buffer.from(one.data, 'base64').toString()).not.toContain('sesame');
  });

  it.each(['iv', 'tag', 'data'] as const)('refuses a value whose %s was changed', async (field) => {
    const sealed = await box.seal(await box.newKey(), 'secret');
    const bytes = Buffer.from(sealed[field], 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await expect(box.open({ ...sealed, [field]: bytes.toString('base64') })).rejects.toThrow('was tampered with');
    await expect(box.open({ ...sealed, [field]: '' })).rejects.toThrow('was tampered with');
  });

  it('refuses a shortened tag, which would be easier to guess', async () => {
    const sealed = await box.seal(await box.newKey(), 'secret');
    const tag = Buffer.from(sealed.tag, 'base64').subarray(0, 4).toString('base64');
    await expect(box.open({ ...sealed, tag })).rejects.toThrow('was tampered with');
  });

  it('refuses a value put under another key id, and a key put under another id', async () => {
    const [one, two] = [await box.newKey(), await box.newKey()];
    const sealed = await box.seal(one, 'secret');
    await expect(box.open({ ...sealed, sealed: two })).rejects.toThrow('was tampered with');
    await keys.put('moved', (await keys.get(one)) ?? '');
    await expect(box.open({ ...sealed, sealed: 'moved' })).rejects.toThrow('not wrapped by this master key');
  });

  it('can read nothing of a key that was destroyed or never made', async () => {
    const keyId = await box.newKey();
    const sealed = await box.seal(keyId, 'secret');
    await box.destroyKey(keyId);
    await expect(box.open(sealed)).rejects.toThrow(`secret key ${keyId} is not there`);
    await expect(box.seal('unknown', 1)).rejects.toThrow('secret key unknown is not there');
  });

  it('stores keys wrapped: another master key opens nothing', async () => {
    const sealed = await box.seal(await box.newKey(), 'secret');
    const other = secretBox({ masterKey: randomBytes(32), keys, chance });
    await expect(other.open(sealed)).rejects.toThrow('not wrapped by this master key');
  });
});
