/** Every endpoint of the contract's table, at both sides of its version. contract: microversions.json endpoints */
import type { Bed } from './bed';
import { facts } from './facts';
import { verdict, type Probe } from './probe';
import type { Form } from './shape';
import { inspectionData, RULE, SETTING, STEP, waiting, type Things } from './things';

/** What is sent, and the status that says that the endpoint is there and works. */
interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly status: string;
}

type Asking = (bed: Bed, things: Things) => Request | Promise<Request>;

const get =
  (path: (things: Things) => string, status = '200'): Asking =>
  (_, things) => ({ path: path(things), status });

const with_ =
  (path: (things: Things) => string, body: unknown, status: string): Asking =>
  (_, things) => ({ path: path(things), body, status });

/** Something is made first, and the request is about it. */
const made =
  (make: (bed: Bed, things: Things) => Promise<string>, status: string, body?: (bed: Bed) => unknown): Asking =>
  async (bed, things) => ({ path: await make(bed, things), status, ...(body ? { body: body(bed) } : {}) });

const patch = (path: string, value: unknown) => [{ op: 'add', path, value }];
const note = patch('/extra/seen', true);

const template = (bed: Bed): object => ({ name: `CUSTOM_T${bed.next}`, steps: [STEP] });
const runbook = (bed: Bed): object => ({
  name: `CUSTOM_R${bed.next}`,
  steps: [{ interface: 'deploy', step: 'erase', order: 1 }],
});
const connector = (bed: Bed, node: string) => ({ node_uuid: node, type: 'iqn', connector_id: `iqn.${bed.next}` });
const target = (bed: Bed, node: string) => ({
  node_uuid: node,
  volume_type: 'iscsi',
  boot_index: bed.next,
  volume_id: 'v',
});

const newNode = (bed: Bed) => bed.node();
const under = (part: string) => async (bed: Bed) => `/v1/nodes/${await newNode(bed)}/${part}`;
const ofNode = (part: string) => (things: Things) => `/v1/nodes/${things.node}/${part}`;
const created = (path: string, body: (bed: Bed, things: Things) => object) => async (bed: Bed, things: Things) =>
  `${path}/${await bed.create(path, body(bed, things))}`;

async function allocationOf(bed: Bed): Promise<string> {
  const node = await bed.led(['manage', 'provide', 'active']);
  await bed.create('/v1/allocations', { node });
  return `/v1/nodes/${node}/allocation`;
}

const freeAllocation = created('/v1/allocations', () => ({ resource_class: 'none-such' }));

/** A node in use keeps its allocation, unless it is in maintenance. */
async function endedAllocationOf(bed: Bed): Promise<string> {
  const path = await allocationOf(bed);
  await bed.must(202, 'PUT', path.replace('/allocation', '/maintenance'));
  return path;
}

async function heartbeat(bed: Bed): Promise<Request> {
  const { node } = await waiting(bed);
  const { body } = await bed.must(200, 'GET', `/v1/lookup?node_uuid=${node}`);
  const { agent_token } = (body as { config: { agent_token: string } }).config;
  return { path: `/v1/heartbeat/${node}`, body: { callback_url: '', agent_token }, status: '' };
}

const vif = async (bed: Bed) => {
  const node = await newNode(bed);
  await bed.must(204, 'POST', `/v1/nodes/${node}/vifs`, { id: 'vif-1' });
  return `/v1/nodes/${node}/vifs/vif-1`;
};

const withTrait = (rest: string) => async (bed: Bed) => {
  const node = await newNode(bed);
  await bed.must(204, 'PUT', `/v1/nodes/${node}/traits`, { traits: ['CUSTOM_ONE'] });
  return `/v1/nodes/${node}/traits${rest}`;
};

const runbookTrait = (rest: string) => async (bed: Bed) => {
  const uuid = await bed.create('/v1/runbooks', runbook(bed));
  await bed.must(204, 'PUT', `/v1/runbooks/${uuid}/traits`, { traits: ['CUSTOM_ONE'] });
  return `/v1/runbooks/${uuid}/traits${rest}`;
};

const media = async (bed: Bed) => `/v1/nodes/${await newNode(bed)}/vmedia`;

export const requests: Readonly<Record<string, Asking>> = {
  'GET /v1/nodes': get(() => '/v1/nodes'),
  'POST /v1/nodes': with_(() => '/v1/nodes', { driver: 'fake-hardware' }, '201'),
  'GET /v1/nodes/detail': get(() => '/v1/nodes/detail'),
  'GET /v1/nodes/{ident}': get(({ node }) => `/v1/nodes/${node}`),
  'PATCH /v1/nodes/{ident}': with_(({ node }) => `/v1/nodes/${node}`, note, '200'),
  'DELETE /v1/nodes/{ident}': made(async (bed) => `/v1/nodes/${await newNode(bed)}`, '204'),
  'GET /v1/nodes/{ident}/validate': get(ofNode('validate')),
  'PUT /v1/nodes/{ident}/maintenance': made(under('maintenance'), '202'),
  'DELETE /v1/nodes/{ident}/maintenance': made(under('maintenance'), '202'),
  'GET /v1/nodes/{ident}/states': get(ofNode('states')),
  'PUT /v1/nodes/{ident}/states/power': made(under('states/power'), '202', () => ({ target: 'power on' })),
  'PUT /v1/nodes/{ident}/states/provision': async (bed) => ({
    path: `/v1/nodes/${await bed.led(['manage', 'provide', 'active'])}/states/provision`,
    body: { target: 'deleted' },
    status: '202',
  }),
  'GET /v1/nodes/{ident}/states/console': get(ofNode('states/console')),
  'PUT /v1/nodes/{ident}/states/console': made(under('states/console'), '202', () => ({ enabled: true })),
  'GET /v1/nodes/{ident}/management/boot_device': get(ofNode('management/boot_device')),
  'PUT /v1/nodes/{ident}/management/boot_device': made(under('management/boot_device'), '204', () => ({
    boot_device: 'pxe',
  })),
  'GET /v1/nodes/{ident}/management/boot_device/supported': get(ofNode('management/boot_device/supported')),
  'GET /v1/nodes/{ident}/ports': get(ofNode('ports')),
  'GET /v1/nodes/{ident}/vendor_passthru/methods': get(ofNode('vendor_passthru/methods')),
  '* /v1/nodes/{ident}/vendor_passthru/{method}': get(ofNode('vendor_passthru/none_such'), '400 resource'),
  'GET /v1/ports': get(() => '/v1/ports'),
  'POST /v1/ports': (bed, { node }) => ({
    path: '/v1/ports',
    body: { node_uuid: node, address: bed.mac },
    status: '201',
  }),
  'GET /v1/ports/detail': get(() => '/v1/ports/detail'),
  'GET /v1/ports/{ident}': get(({ port }) => `/v1/ports/${port}`),
  'PATCH /v1/ports/{ident}': with_(({ port }) => `/v1/ports/${port}`, note, '200'),
  'DELETE /v1/ports/{ident}': made(async (bed, { node }) => `/v1/ports/${await bed.port(node)}`, '204'),
  'GET /v1/chassis': get(() => '/v1/chassis'),
  'POST /v1/chassis': with_(() => '/v1/chassis', {}, '201'),
  'GET /v1/chassis/detail': get(() => '/v1/chassis/detail'),
  'GET /v1/chassis/{uuid}': get(({ chassis }) => `/v1/chassis/${chassis}`),
  'PATCH /v1/chassis/{uuid}': with_(({ chassis }) => `/v1/chassis/${chassis}`, note, '200'),
  'DELETE /v1/chassis/{uuid}': made(
    created('/v1/chassis', () => ({})),
    '204',
  ),
  'GET /v1/chassis/{uuid}/nodes': get(({ chassis }) => `/v1/chassis/${chassis}/nodes`),
  'GET /v1/drivers': get(() => '/v1/drivers'),
  'GET /v1/drivers/{name}': get(() => '/v1/drivers/fake-hardware'),
  'GET /v1/drivers/{name}/properties': get(() => '/v1/drivers/fake-hardware/properties'),
  'GET /v1/drivers/{name}/vendor_passthru/methods': get(() => '/v1/drivers/fake-hardware/vendor_passthru/methods'),
  '* /v1/drivers/{name}/vendor_passthru/{method}': get(
    () => '/v1/drivers/fake-hardware/vendor_passthru/none_such',
    '400 resource',
  ),
  'PUT /v1/nodes/{ident}/states/raid': made(under('states/raid'), '204', () => ({})),
  'GET /v1/drivers/{name}/raid/logical_disk_properties': get(
    () => '/v1/drivers/fake-hardware/raid/logical_disk_properties',
  ),
  'GET /v1/lookup': async (bed) => ({ path: `/v1/lookup?node_uuid=${(await waiting(bed)).node}`, status: '200' }),
  'POST /v1/heartbeat/{ident}': async (bed) => ({ ...(await heartbeat(bed)), status: '400 resource' }),
  'GET /v1/portgroups': get(() => '/v1/portgroups'),
  'POST /v1/portgroups': (_, { node }) => ({ path: '/v1/portgroups', body: { node_uuid: node }, status: '201' }),
  'GET /v1/portgroups/detail': get(() => '/v1/portgroups/detail'),
  'GET /v1/portgroups/{ident}': get(({ portgroup }) => `/v1/portgroups/${portgroup}`),
  'PATCH /v1/portgroups/{ident}': with_(({ portgroup }) => `/v1/portgroups/${portgroup}`, note, '200'),
  'DELETE /v1/portgroups/{ident}': made(
    created('/v1/portgroups', (_, { node }) => ({ node_uuid: node })),
    '204',
  ),
  'GET /v1/portgroups/{ident}/ports': get(({ portgroup }) => `/v1/portgroups/${portgroup}/ports`),
  'GET /v1/nodes/{ident}/portgroups': get(ofNode('portgroups')),
  'GET /v1/nodes/{ident}/vifs': get(ofNode('vifs')),
  'POST /v1/nodes/{ident}/vifs': made(under('vifs'), '204', () => ({ id: 'vif-1' })),
  'DELETE /v1/nodes/{ident}/vifs/{vif}': made(vif, '204'),
  'PUT /v1/nodes/{ident}/management/inject_nmi': made(under('management/inject_nmi'), '204'),
  'GET /v1/volume': get(() => '/v1/volume'),
  'GET /v1/nodes/{ident}/volume': get(ofNode('volume')),
  'GET /v1/volume/connectors': get(() => '/v1/volume/connectors'),
  'POST /v1/volume/connectors': (bed, { node }) => ({
    path: '/v1/volume/connectors',
    body: connector(bed, node),
    status: '201',
  }),
  'GET /v1/volume/connectors/{uuid}': get((things) => `/v1/volume/connectors/${things.connector}`),
  'PATCH /v1/volume/connectors/{uuid}': with_((things) => `/v1/volume/connectors/${things.connector}`, note, '200'),
  'DELETE /v1/volume/connectors/{uuid}': made(
    created('/v1/volume/connectors', (bed, { node }) => connector(bed, node)),
    '204',
  ),
  'GET /v1/volume/targets': get(() => '/v1/volume/targets'),
  'POST /v1/volume/targets': (bed, { node }) => ({
    path: '/v1/volume/targets',
    body: target(bed, node),
    status: '201',
  }),
  'GET /v1/volume/targets/{uuid}': get((things) => `/v1/volume/targets/${things.target}`),
  'PATCH /v1/volume/targets/{uuid}': with_((things) => `/v1/volume/targets/${things.target}`, note, '200'),
  'DELETE /v1/volume/targets/{uuid}': made(
    created('/v1/volume/targets', (bed, { node }) => target(bed, node)),
    '204',
  ),
  'GET /v1/nodes/{ident}/volume/connectors': get(ofNode('volume/connectors')),
  'GET /v1/nodes/{ident}/volume/targets': get(ofNode('volume/targets')),
  'GET /v1/nodes/{ident}/traits': get(ofNode('traits')),
  'PUT /v1/nodes/{ident}/traits': made(under('traits'), '204', () => ({ traits: ['CUSTOM_ONE'] })),
  'DELETE /v1/nodes/{ident}/traits': made(under('traits'), '204'),
  'PUT /v1/nodes/{ident}/traits/{trait}': made(under('traits/CUSTOM_ONE'), '204'),
  'DELETE /v1/nodes/{ident}/traits/{trait}': made(withTrait('/CUSTOM_ONE'), '204'),
  'GET /v1/nodes/{ident}/bios': get(ofNode('bios')),
  'GET /v1/nodes/{ident}/bios/{name}': get(({ told }) => `/v1/nodes/${told}/bios/${SETTING}`),
  'GET /v1/conductors': get(() => '/v1/conductors'),
  'GET /v1/conductors/{hostname}': get(({ conductor }) => `/v1/conductors/${conductor}`),
  'GET /v1/allocations': get(() => '/v1/allocations'),
  'POST /v1/allocations': with_(() => '/v1/allocations', { resource_class: 'none-such' }, '201'),
  'GET /v1/allocations/{ident}': get(({ allocation }) => `/v1/allocations/${allocation}`),
  'DELETE /v1/allocations/{ident}': made(freeAllocation, '204'),
  'PATCH /v1/allocations/{ident}': made(freeAllocation, '200', () => note),
  'GET /v1/nodes/{ident}/allocation': get(({ allocated }) => `/v1/nodes/${allocated}/allocation`),
  'DELETE /v1/nodes/{ident}/allocation': made(endedAllocationOf, '204'),
  'POST /v1/events': with_(
    () => '/v1/events',
    {
      events: [
        {
          event: 'network.bind_port',
          port_id: '11111111-2222-4333-8444-555555555555',
          mac_address: '52:54:00:00:00:01',
          status: 'ACTIVE',
        },
      ],
    },
    '204',
  ),
  'GET /v1/deploy_templates': get(() => '/v1/deploy_templates'),
  'POST /v1/deploy_templates': (bed) => ({ path: '/v1/deploy_templates', body: template(bed), status: '201' }),
  'GET /v1/deploy_templates/{ident}': get((things) => `/v1/deploy_templates/${things.template}`),
  'PATCH /v1/deploy_templates/{ident}': with_((things) => `/v1/deploy_templates/${things.template}`, note, '200'),
  'DELETE /v1/deploy_templates/{ident}': made(created('/v1/deploy_templates', template), '204'),
  'GET /v1/nodes/{ident}/management/indicators': get(ofNode('management/indicators')),
  'GET /v1/nodes/{ident}/management/indicators/{name}@{component}': get(
    ofNode('management/indicators/none@such'),
    '400 resource',
  ),
  'PUT /v1/nodes/{ident}/management/indicators/{name}@{component}': with_(
    ofNode('management/indicators/none@such'),
    { state: 'on' },
    '400 resource',
  ),
  'PUT /v1/nodes/{ident}/states/boot_mode': made(under('states/boot_mode'), '202', () => ({ target: 'uefi' })),
  'PUT /v1/nodes/{ident}/states/secure_boot': made(under('states/secure_boot'), '202', () => ({ target: true })),
  'GET /v1/nodes/{ident}/history': get(({ failed }) => `/v1/nodes/${failed}/history`),
  'GET /v1/nodes/{ident}/history/{uuid}': get(({ failed, event }) => `/v1/nodes/${failed}/history/${event}`),
  'GET /v1/nodes/{ident}/inventory': get(({ inspected }) => `/v1/nodes/${inspected}/inventory`),
  'GET /v1/shards': get(() => '/v1/shards'),
  'GET /v1/nodes/{ident}/children': get(ofNode('children')),
  'POST /v1/continue_inspection': async (bed) => ({
    path: '/v1/continue_inspection',
    body: inspectionData((await waiting(bed)).mac),
    status: '202',
  }),
  'GET /v1/nodes/{ident}/firmware': get(ofNode('firmware')),
  'POST /v1/nodes/{ident}/vmedia': made(media, '204', () => ({
    device_type: 'cdrom',
    image_url: 'http://192.0.2.1/boot.iso',
  })),
  'DELETE /v1/nodes/{ident}/vmedia': made(media, '204'),
  'GET /v1/nodes/{ident}/vmedia': made(media, '200'),
  'GET /v1/runbooks': get(() => '/v1/runbooks'),
  'POST /v1/runbooks': (bed) => ({ path: '/v1/runbooks', body: runbook(bed), status: '201' }),
  'GET /v1/runbooks/{ident}': get((things) => `/v1/runbooks/${things.runbook}`),
  'PATCH /v1/runbooks/{ident}': with_((things) => `/v1/runbooks/${things.runbook}`, note, '200'),
  'DELETE /v1/runbooks/{ident}': made(created('/v1/runbooks', runbook), '204'),
  'GET /v1/runbooks/{ident}/traits': get((things) => `/v1/runbooks/${things.runbook}/traits`),
  'PUT /v1/runbooks/{ident}/traits': made(runbookTrait(''), '204', () => ({ traits: ['CUSTOM_TWO'] })),
  'DELETE /v1/runbooks/{ident}/traits': made(runbookTrait(''), '204'),
  'PUT /v1/runbooks/{ident}/traits/{trait}': made(runbookTrait('/CUSTOM_TWO'), '204'),
  'DELETE /v1/runbooks/{ident}/traits/{trait}': made(runbookTrait('/CUSTOM_ONE'), '204'),
  'GET /v1/inspection_rules': get(() => '/v1/inspection_rules'),
  'POST /v1/inspection_rules': with_(() => '/v1/inspection_rules', RULE, '201'),
  'GET /v1/inspection_rules/{uuid}': get(({ rule }) => `/v1/inspection_rules/${rule}`),
  'PATCH /v1/inspection_rules/{uuid}': with_(
    ({ rule }) => `/v1/inspection_rules/${rule}`,
    patch('/description', 'x'),
    '200',
  ),
  'DELETE /v1/inspection_rules/{uuid}': made(
    created('/v1/inspection_rules', () => RULE),
    '204',
  ),
};

/** Which of the two forms the refusal below has (contract: errors-and-negotiation.md §5, the last two rows of its table). */
const routerForm =
  /^\/v1\/(?:nodes\/\{ident\}\/(?:history|inventory|vifs|bios|portgroups|allocation|firmware)|(?:nodes\/\{ident\}\/)?volume\/(?:connectors|targets)|deploy_templates|runbooks)(?:\/|$)/;

const formOfPath = (path: string): Form => (routerForm.test(path) ? 'router' : 'resource');

/** `GET 406, PUT 405, DELETE 404`, `GET 404, others 405`, `404 except ...`; undefined where nothing is refused. */
function statusBelow(text: string, method: string): string | undefined {
  const own = new RegExp(`(?:^|, )(?:${method}|others) (\\d+)`).exec(text) ?? /^(\d+)/.exec(text);
  return own?.[1];
}

export const endpoints = facts.endpoints.flatMap(({ method, path, min, below }) =>
  method.split('|').map((one) => ({ key: `${one} ${path}`, method: one === '*' ? 'GET' : one, path, min, below })),
);

export const endpointProbes: readonly Probe[] = endpoints.map(({ key, method, path, min, below }) => {
  const status = statusBelow(below, method);
  const refused = status === undefined ? undefined : `${status} ${formOfPath(path)}`;
  return {
    name: key,
    gate: min,
    below: refused ?? 'served',
    from: 'served',
    ask: async (bed, things, minor) => {
      const asking = requests[key];
      if (!asking) throw new Error(`no request for ${key}`);
      const { path: place, body, status: wanted } = await asking(bed, things);
      const found = verdict(await bed.ask(method, place, minor, body), min);
      return found === wanted ? 'served' : found;
    },
  };
});
