import { ApiHarness } from './api-harness';

let harness: ApiHarness;
beforeAll(async () => void (harness = await ApiHarness.start()));
afterAll(() => harness.stop());

const level = async (method: string, path: string): Promise<unknown> => {
  const before = harness.logged.length;
  await fetch(`${harness.api.url}${path}`, { method, headers: { 'X-OpenStack-Ironic-API-Version': '1.82' } });
  const told = harness.logged.slice(before).filter(({ message }) => message === 'request');
  expect(told).toHaveLength(1);
  expect(told[0]?.fields).toMatchObject({ method, path });
  return told[0]?.level;
};

it.each([
  ['GET', '/v1/nodes', 'debug'],
  ['GET', '/v1/nodes/nobody', 'info'],
  ['POST', '/v1/nodes', 'info'],
  ['DELETE', '/v1/nodes/nobody', 'info'],
])('%s %s is told at %s: what is read well, and often, drowns nothing', async (method, path, expected) => {
  expect(await level(method, path)).toBe(expected);
});
