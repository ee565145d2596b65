/** Traits of nodes and runbooks over real HTTP. contract: node-api.md §15; other-resources.md §12 */
import { ApiHarness } from './api-harness';

let api: ApiHarness;
let node: string;
beforeEach(async () => {
  api = await ApiHarness.start();
  node = await api.node({ name: 'n' }, { traits: ['CUSTOM_B', 'CUSTOM_A'] });
});
afterEach(() => api.stop());

const sent = () => api.script.received.map(({ command }) => command).filter(({ type }) => type === 'ChangeTraits');

describe('traits of a node', () => {
  it('are shown sorted', async () => {
    expect((await api.get('/v1/nodes/n/traits', '1.37')).body).toEqual({ traits: ['CUSTOM_A', 'CUSTOM_B'] });
  });

  it.each([
    ['PUT', '', { traits: ['CUSTOM_C'] }, { set: ['CUSTOM_C'] }, null],
    ['DELETE', '', undefined, { set: [] }, null],
    ['PUT', '/CUSTOM_C', undefined, { add: 'CUSTOM_C' }, '/v1/nodes/n/traits/CUSTOM_C'],
    ['DELETE', '/CUSTOM_C', undefined, { remove: 'CUSTOM_C', mustExist: true }, null],
  ])('%s traits%s with %j asks the conductor for %j', async (method, path, body, change, location) => {
    const { status, headers, text } = await api.call(method, `/v1/nodes/n/traits${path}`, '1.37', body);
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('location')).toBe(location && `${api.api.url}${location}`);
    expect(sent()).toEqual([{ type: 'ChangeTraits', of: 'node', uuid: node, change }]);
  });

  it.each<[string, string, unknown, string, number]>([
    ['GET', '/v1/nodes/n/traits', undefined, '1.36', 406],
    ['PUT', '/v1/nodes/n/traits', { traits: [] }, '1.36', 405],
    ['DELETE', '/v1/nodes/n/traits', undefined, '1.36', 404],
    ['GET', '/v1/nodes/nope/traits', undefined, '1.82', 404],
    ['PUT', '/v1/nodes/nope/traits/CUSTOM_A', undefined, '1.82', 404],
    ['PUT', '/v1/nodes/n/traits', undefined, '1.82', 400],
    ['PUT', '/v1/nodes/n/traits', {}, '1.82', 400],
    ['PUT', '/v1/nodes/n/traits', { traits: 'CUSTOM_A' }, '1.82', 400],
    ['PUT', '/v1/nodes/n/traits', { traits: [1] }, '1.82', 400],
    ['PUT', '/v1/nodes/n/traits', { traits: [], bogus: 1 }, '1.82', 400],
    ['PUT', '/v1/nodes/n/traits/CUSTOM_C', { traits: [] }, '1.82', 400],
    ['GET', '/v1/nodes/n/traits/CUSTOM_A', undefined, '1.82', 405],
    ['POST', '/v1/nodes/n/traits', { traits: [] }, '1.82', 405],
  ])('%s %s with %j at %s is %d and changes nothing', async (method, path, body, version, status) => {
    expect((await api.call(method, path, version, body)).status).toBe(status);
    expect(sent()).toEqual([]);
  });
});

describe('traits of a runbook', () => {
  let book: string;
  beforeEach(async () => {
    const steps = [{ interface: 'bios', step: 'apply', order: 1 }];
    const { body } = await api.call('POST', '/v1/runbooks', '1.112', { name: 'CUSTOM_BOOK', steps });
    book = body.uuid;
  });

  it('are its own', async () => {
    expect((await api.get('/v1/runbooks/CUSTOM_BOOK/traits', '1.112')).body).toEqual({ traits: [] });
    expect((await api.get('/v1/runbooks/CUSTOM_BOOK/traits', '1.111')).status).toBe(404);
    const one = '/v1/runbooks/CUSTOM_BOOK/traits/CUSTOM_C';
    const { status, headers } = await api.call('PUT', one, '1.112');
    expect([status, headers.get('location')]).toEqual([204, `${api.api.url}${one}`]);
    expect((await api.call('DELETE', one, '1.112')).status).toBe(204);
    expect(sent()).toEqual([
      { type: 'ChangeTraits', of: 'runbook', uuid: book, change: { add: 'CUSTOM_C' } },
      { type: 'ChangeTraits', of: 'runbook', uuid: book, change: { remove: 'CUSTOM_C', mustExist: false } },
    ]);
    expect((await api.get('/v1/runbooks/CUSTOM_NONE/traits', '1.112')).status).toBe(404);
  });
});
