import { randomBytes, randomUUID } from 'node:crypto';
import { checkMasterKey, memoryKeyStore, secretBox } from '.';

const chance = { uuid: () => randomUUID(), bytes: (length: number) => randomBytes(length) };
const [ours, other] = [randomBytes(32), randomBytes(32)];

it('takes the key of the first start at every later one', async () => {
  const keys = memoryKeyStore();
  for (let start = 0; start < 3; start += 1) await checkMasterKey(ours, keys, chance);
});

it('refuses another one, whether secrets were sealed meanwhile or not', async () => {
  const keys = memoryKeyStore();
  await checkMasterKey(ours, keys, chance);
  await expect(checkMasterKey(other, keys, chance)).rejects.toThrow('put back the old master.key');
  await secretBox({ masterKey: ours, keys, chance }).newKey();
  await expect(checkMasterKey(other, keys, chance)).rejects.toThrow('put back the old master.key');
  await checkMasterKey(ours, keys, chance);
});

it('lets two conductors start at once, and tells them apart by their keys', async () => {
  const keys = memoryKeyStore();
  await Promise.all([checkMasterKey(ours, keys, chance), checkMasterKey(ours, keys, chance)]);
  const fresh = memoryKeyStore();
  const both = await Promise.allSettled([checkMasterKey(ours, fresh, chance), checkMasterKey(other, fresh, chance)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
