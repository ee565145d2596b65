/** BIOS settings and firmware over real HTTP. contract: node-api.md §17 */
import { ApiHarness } from './api-harness';

let api: ApiHarness;
let uuid: string;
beforeAll(async () => {
  api = await ApiHarness.start();
  uuid = await api.node({ name: 'n' });
  const at = '2026-11-30T08:00:00+00:00';
  const setting = { name: 'Boot Order/1', value: 'pxe', attribute_type: 'String', max_length: 9, created_at: at };
  await api.script.put(
    'node_parts',
    {
      uuid,
      bios: [setting, { name: 'Virtualization', value: null, created_at: at, updated_at: at }],
      firmware: [{ component: 'bmc', initial_version: '1', current_version: '2', vendor: 'Us', created_at: at }],
    },
    uuid,
  );
});
afterAll(() => api.stop());

const get = (path: string, version = '1.115') => api.get(`/v1/nodes/${path}`, version);
const keys = async (path: string, version: string) => Object.keys((await get(path, version)).body.bios[0]);

describe('BIOS settings', () => {
  const short = ['name', 'value', 'created_at', 'updated_at', 'links'];

  it('are listed in short, or from 1.74 on with what their registry says', async () => {
    expect(await keys('n/bios', '1.40')).toEqual(short);
    expect(await keys('n/bios', '1.115')).toEqual(short);
    expect(await keys('n/bios?detail=false', '1.74')).toEqual(short);
    const { body } = await get('n/bios?detail=True', '1.74');
    expect(body.bios[0]).toMatchObject({ attribute_type: 'String', max_length: 9, unique: null, read_only: null });
    expect(await keys('n/bios?fields=value,max_length', '1.74')).toEqual(['value', 'links', 'max_length']);
  });

  it('are shown under their names', async () => {
    const path = `n/bios/${encodeURIComponent('Boot Order/1')}`;
    const { body } = await get(path, '1.40');
    expect(Object.keys(body)).toEqual(['Boot Order/1']);
    expect(Object.keys(body['Boot Order/1'])).toEqual(short);
    expect(body['Boot Order/1'].links[0].href).toMatch(`/v1/nodes/${uuid}/bios/Boot%20Order%2F1`);
    expect((await get(path, '1.74')).body['Boot Order/1']).toHaveProperty('attribute_type', 'String');
    expect(await get('n/bios/Nothing')).toMatchObject({ status: 404 });
  });

  it.each<[string, string, number]>([
    ['n/bios', '1.39', 404],
    ['n/bios/Virtualization', '1.39', 404],
    ['n/bios?detail=True', '1.73', 400],
    ['n/bios?fields=value', '1.73', 400],
    ['n/bios?fields=colour', '1.74', 400],
    ['n/bios?fields=value&detail=True', '1.74', 400],
    ['n/bios?limit=1', '1.115', 400],
    ['n/bios/Virtualization?fields=value', '1.115', 400],
    ['missing/bios', '1.115', 404],
    ['missing/bios/x', '1.115', 404],
  ])('%s at %s is %i', async (path, version, status) => {
    expect((await get(path, version)).status).toBe(status);
  });
});

describe('firmware components', () => {
  it('are listed without links', async () => {
    const { body } = await get('n/firmware', '1.86');
    expect(body.firmware).toEqual([
      {
        component: 'bmc',
        initial_version: '1',
        current_version: '2',
        last_version_flashed: null,
        created_at: '2026-11-30T08:00:00+00:00',
        updated_at: null,
      },
    ]);
    expect((await get('n/firmware', '1.114')).body.firmware[0]).toMatchObject({ vendor: 'Us', model: null });
    expect((await get('n/firmware?fields=component')).body).toEqual({ firmware: [{ component: 'bmc' }] });
  });

  it.each<[string, string, number]>([
    ['n/firmware', '1.85', 404],
    ['n/firmware?fields=vendor', '1.113', 400],
    ['n/firmware?fields=colour', '1.115', 400],
    ['n/firmware?detail=True', '1.115', 400],
    ['missing/firmware', '1.115', 404],
  ])('%s at %s is %i', async (path, version, status) => {
    expect((await get(path, version)).status).toBe(status);
  });

  it('of a machine that told of nothing are none', async () => {
    const other = await api.node({});
    expect((await get(`${other}/firmware`)).body).toEqual({ firmware: [] });
    expect((await get(`${other}/bios`)).body).toEqual({ bios: [] });
  });
});

describe('what belongs to a node', () => {
  const paths = ['ports', 'portgroups', 'volume/connectors', 'volume/targets'];
  it.each(paths)('is only listed below it: %s', async (path) => {
    expect((await get(`n/${path}`)).status).toBe(200);
    const malformed = { status: 400, fault: { faultstring: 'Malformed request URI.' } };
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect(await api.call(method, `/v1/nodes/n/${path}`, '1.115', {})).toMatchObject(malformed);
      expect(await api.call(method, `/v1/nodes/n/${path}/${uuid}`, '1.115', {})).toMatchObject(malformed);
    }
    expect(await get(`n/${path}/${uuid}`)).toMatchObject(malformed);
  });

  it('is not there before its version, whatever is asked', async () => {
    for (const [path, version] of [
      ['portgroups', '1.23'],
      ['volume/targets', '1.31'],
    ] as const)
      expect((await api.call('POST', `/v1/nodes/n/${path}`, version, {})).status).toBe(404);
  });
});
