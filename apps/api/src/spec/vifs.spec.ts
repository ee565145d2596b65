/** Virtual interfaces over real HTTP. contract: node-api.md §16 */
import { ApiHarness } from './api-harness';

let api: ApiHarness;
beforeAll(async () => {
  api = await ApiHarness.start();
  await api.node({ name: 'n' });
});
afterAll(() => api.stop());

const VIF = 'cccccccc-0000-4000-8000-000000000001';

describe('VIFs of a node', () => {
  it.each<[string, string, unknown, string, number]>([
    ['POST', '/v1/nodes/n/vifs', { id: VIF }, '1.28', 204],
    ['POST', '/v1/nodes/n/vifs', { id: 'a-name', anything: 1 }, '1.28', 204],
    ['POST', '/v1/nodes/n/vifs', { id: VIF, port_uuid: VIF, portgroup_uuid: VIF }, '1.66', 204],
    ['POST', '/v1/nodes/n/vifs', { id: VIF, port_uuid: VIF, portgroup_uuid: VIF }, '1.67', 400],
    ['POST', '/v1/nodes/n/vifs', { id: VIF, port_uuid: VIF }, '1.67', 204],
    ['POST', '/v1/nodes/n/vifs', {}, '1.28', 400],
    ['POST', '/v1/nodes/n/vifs', { id: 1 }, '1.28', 400],
    ['POST', '/v1/nodes/n/vifs', { id: 'no name!' }, '1.28', 400],
    ['POST', '/v1/nodes/n/vifs', [], '1.28', 400],
    ['POST', '/v1/nodes/nope/vifs', { id: VIF }, '1.28', 404],
    ['POST', '/v1/nodes/n/vifs', { id: VIF }, '1.27', 404],
    ['DELETE', `/v1/nodes/n/vifs/${VIF}`, undefined, '1.28', 204],
    ['DELETE', `/v1/nodes/nope/vifs/${VIF}`, undefined, '1.28', 404],
    ['DELETE', `/v1/nodes/n/vifs/${VIF}`, undefined, '1.27', 404],
  ])('%s %s with %j at %s is %d', async (method, path, body, version, status) => {
    const answer = await api.call(method, path, version, body);
    expect(answer.status).toBe(status);
    if (status === 204) expect(answer.text).toBe('');
  });

  it('are none, whatever was attached', async () => {
    expect((await api.get('/v1/nodes/n/vifs', '1.28')).body).toEqual({ vifs: [] });
    expect((await api.get('/v1/nodes/nope/vifs', '1.28')).status).toBe(404);
  });
});
