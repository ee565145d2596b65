/** Lookup, heartbeat and posted inspection data over real HTTP. contract: other-resources.md §3-5 */
import { createHash } from 'node:crypto';
import type { Command } from '@lib/contracts';
import type { RawValue } from '@lib/contracts/settings';
import { ApiHarness } from './api-harness';

const MAC = '52:54:00:aa:bb:cc';
const UNKNOWN = '11111111-2222-4333-8444-555555555555';
const data = { inventory: { interfaces: [{ name: 'eth0', mac_address: MAC }] }, root_disk: null };
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

let api: ApiHarness;
let node: string;

async function start(values: readonly RawValue[] = []): Promise<void> {
  api = await ApiHarness.start(values);
  node = await api.node({ name: 'n' }, { provision_state: 'inspect wait' });
  await api.call('POST', '/v1/ports', '1.115', { node_uuid: node, address: MAC });
  api.script.answer = answering(true);
}

/** The conductor's part: the token that came along is the node's, or another one is. */
const answering = (issued: boolean) => (command: Command) => {
  if (command.type !== 'LookUpNode' && command.type !== 'ContinueInspection') return undefined;
  const internal = { agent_secret_token: 'whatever', inspector_manage_boot: false };
  const shown = {
    properties: { cpus: 4 },
    instance_info: { image_url: 'http://secret' },
    driver_internal_info: internal,
  };
  return { ok: true, result: { uuid: node, ...shown, management_interface: 'fake', issued } } as const;
};

const commandsOf = <Type extends Command['type']>(type: Type) =>
  api.script.received
    .map(({ command }) => command)
    .filter((command): command is Extract<Command, { type: Type }> => command.type === type);

afterEach(() => api.stop());

describe('endpoints that are switched off', () => {
  beforeEach(() => start([{ section: 'api', name: 'enable_ramdisk_endpoints', text: 'false', source: 'spec' }]));

  it.each([
    ['GET', '/v1/lookup', '1.1'],
    ['POST', '/v1/heartbeat/n', '1.115'],
    ['POST', '/v1/continue_inspection', '1.83'],
  ])('%s %s answers 403 before it looks at anything (API-14)', async (method, path, version) => {
    expect((await api.call(method, path, version)).status).toBe(403);
  });
});

describe('a lookup', () => {
  beforeEach(() => start());

  it('hands out a token of which only a digest leaves the api', async () => {
    const { status, body } = await api.get(`/v1/lookup?addresses=${MAC.toUpperCase()}`, '1.62');
    expect(status).toBe(200);
    expect(body.config.agent_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const [command] = commandsOf('LookUpNode');
    expect(command).toEqual({
      type: 'LookUpNode',
      uuid: node,
      tokenDigest: digestOf(body.config.agent_token),
      inAnyState: false,
    });
    expect(JSON.stringify(api.script.received)).not.toContain(body.config.agent_token);
  });

  it('shows the node without secrets', async () => {
    const { body } = await api.get(`/v1/lookup?node_uuid=${node}`, '1.115');
    expect(body.node).toEqual({
      uuid: node,
      properties: { cpus: 4 },
      instance_info: { image_url: '******' },
      driver_internal_info: { agent_secret_token: '******', inspector_manage_boot: false },
      links: [
        { href: `${api.api.url}/v1/nodes/${node}`, rel: 'self' },
        { href: `${api.api.url}/nodes/${node}`, rel: 'bookmark' },
      ],
    });
    expect(body.config).toMatchObject({
      heartbeat_timeout: 300,
      agent_token_required: true,
      agent_skip_bmc_detect: false,
      tls_min_version: '1.3',
      tls_cipher_suites: null,
    });
  });

  it('hands the settings of agents on: those of the contract by default, or others', async () => {
    const shown = async (): Promise<Record<string, unknown>> => {
      const { body } = await api.get(`/v1/lookup?node_uuid=${node}`, '1.115');
      return { ...body.config, agent_token: undefined };
    };
    const defaults = {
      metrics: {
        backend: 'noop',
        prepend_host: false,
        prepend_uuid: false,
        prepend_host_reverse: true,
        global_prefix: null,
      },
      metrics_statsd: { statsd_host: 'localhost', statsd_port: 8125 },
      heartbeat_timeout: 300,
      agent_containers: {
        allow_arbitrary_containers: false,
        allowed_containers: [],
        container_steps_file: '/etc/ironic-python-agent.d/mysteps.yaml',
        runner: 'podman',
        pull_options: [],
        run_options: ['--rm', '--network=host'],
      },
      agent_token_required: true,
      agent_md5_checksum_enable: true,
      disable_deep_image_inspection: false,
      permitted_image_formats: ['raw', 'gpt', 'qcow2', 'iso'],
      agent_skip_bmc_detect: false,
      enable_bios_bootloader_install: false,
      tls_min_version: '1.3',
      tls_cipher_suites: null,
    };
    expect(await shown()).toEqual(defaults);
    await api.stop();
    const options: readonly (readonly [section: string, name: string, text: string])[] = [
      ['metrics', 'agent_backend', 'statsd'],
      ['metrics', 'agent_prepend_host', 'true'],
      ['metrics', 'agent_prepend_uuid', 'true'],
      ['metrics', 'agent_prepend_host_reverse', 'false'],
      ['metrics', 'agent_global_prefix', 'rack'],
      ['metrics_statsd', 'agent_statsd_host', '::1'],
      ['metrics_statsd', 'agent_statsd_port', '9125'],
      ['agent_containers', 'allow_arbitrary_containers', 'true'],
      ['agent_containers', 'allowed_containers', 'quay.io/a:1, b'],
      ['agent_containers', 'container_steps_file', '/steps.yaml'],
      ['agent_containers', 'runner', 'docker'],
      ['agent_containers', 'pull_options', '--quiet'],
      ['agent_containers', 'run_options', ''],
      ['conductor', 'disable_deep_image_inspection', 'true'],
      ['conductor', 'permitted_image_formats', 'raw,vmdk'],
    ];
    await start(options.map(([section, name, text]) => ({ section, name, text, source: 'spec' })));
    expect(await shown()).toEqual({
      ...defaults,
      metrics: {
        backend: 'statsd',
        prepend_host: true,
        prepend_uuid: true,
        prepend_host_reverse: false,
        global_prefix: 'rack',
      },
      metrics_statsd: { statsd_host: '::1', statsd_port: 9125 },
      agent_containers: {
        allow_arbitrary_containers: true,
        allowed_containers: ['quay.io/a:1', 'b'],
        container_steps_file: '/steps.yaml',
        runner: 'docker',
        pull_options: ['--quiet'],
        run_options: [],
      },
      disable_deep_image_inspection: true,
      permitted_image_formats: ['raw', 'vmdk'],
    });
  });

  it('masks a token that was issued before, and gives none below 1.62', async () => {
    api.script.answer = answering(false);
    expect((await api.get(`/v1/lookup?node_uuid=${node}`, '1.62')).body.config.agent_token).toBe('******');
    expect((await api.get(`/v1/lookup?node_uuid=${node}`, '1.61')).body.config.agent_token).toBeNull();
    expect(commandsOf('LookUpNode').map(({ tokenDigest }) => tokenDigest)).toEqual([expect.any(String), null]);
  });

  it.each([
    ['', 400],
    ['?addresses=', 400],
    ['?addresses=zz,80:00:02:08:fe:80:00:00:00:00:00:00:52:54:00:03:00:ab:10:0f', 400],
    ['?node_uuid=zz', 400],
    [`?node_uuid=${UNKNOWN}&colour=blue`, 400],
    [`?node_uuid=${UNKNOWN}`, 404],
    [`?node_uuid=${UNKNOWN}&addresses=${MAC}`, 404],
    ['?addresses=52:54:00:ff:ff:ff', 404],
    [`?addresses=zz,${MAC}`, 200],
  ])('of %j answers %i (LKP-01)', async (query, status) => {
    expect((await api.get(`/v1/lookup${query}`, '1.115')).status).toBe(status);
  });

  it('tells nobody why a node is not found (API-15)', async () => {
    const other = await api.node({ name: 'other' });
    await api.call('POST', '/v1/ports', '1.115', { node_uuid: other, address: '52:54:00:aa:bb:cd' });
    const unknown = await api.get('/v1/lookup?addresses=52:54:00:ff:ff:ff', '1.115');
    const ambiguous = await api.get(`/v1/lookup?addresses=${MAC},52:54:00:aa:bb:cd`, '1.115');
    api.script.answer = () => ({ ok: false, code: 'RESOURCE_NOT_FOUND', message: 'Resource could not be found.' });
    const otherState = await api.get(`/v1/lookup?addresses=${MAC}`, '1.115');
    expect([unknown, ambiguous, otherState].map(({ status, text }) => [status, text])).toEqual(
      Array.from({ length: 3 }, () => [404, unknown.text]),
    );
  });

  it('exists from 1.22 on', async () => {
    expect((await api.get(`/v1/lookup?addresses=${MAC}`, '1.21')).status).toBe(404);
    expect((await api.get(`/v1/lookup?addresses=${MAC}`, '1.22')).status).toBe(200);
  });
});

describe('a heartbeat', () => {
  beforeEach(() => start());
  const good = { callback_url: 'https://192.0.2.9:9999', agent_token: 'abc', agent_version: '9.14.0' };
  const beat = (body: unknown, version = '1.115', ident = node) =>
    api.call('POST', `/v1/heartbeat/${ident}`, version, body);

  it('is passed on without its token, and accepted without a word', async () => {
    const { status, text } = await beat(good, '1.115', 'n');
    expect([status, text]).toEqual([202, '']);
    expect(commandsOf('RecordHeartbeat')).toEqual([
      {
        type: 'RecordHeartbeat',
        uuid: node,
        callbackUrl: good.callback_url,
        tokenDigest: digestOf('abc'),
        agentVersion: '9.14.0',
        agentStatus: null,
        agentStatusMessage: null,
        agentVerifyCa: null,
        requireTls: true,
      },
    ]);
  });

  it.each<[string, unknown, string, number]>([
    ['no address', { agent_token: 'abc' }, '1.115', 400],
    ['no token', { callback_url: 'https://h' }, '1.115', 400],
    ['an address of another kind', { ...good, callback_url: 'ftp://h' }, '1.115', 400],
    ['something that is no address', { ...good, callback_url: 'javascript:1' }, '1.115', 400],
    ['an unknown argument', { ...good, colour: 'blue' }, '1.115', 400],
    ['a number for a text', { ...good, agent_version: 9 }, '1.115', 400],
    ['an unknown status', { ...good, agent_status: 'tired' }, '1.115', 400],
    ['a version where none is known', good, '1.35', 400],
    ['a certificate where none is known', { ...good, agent_verify_ca: 'x' }, '1.67', 400],
    ['a status where none is known', { ...good, agent_status: 'start' }, '1.71', 400],
    [
      'all that 1.72 knows',
      { ...good, agent_status: 'start', agent_status_message: '', agent_verify_ca: 'x' },
      '1.72',
      202,
    ],
    ['what 1.36 knows', good, '1.36', 202],
    ['no address yet', { ...good, callback_url: '' }, '1.115', 202],
  ])('with %s', async (_what, body, version, status) => {
    expect((await beat(body, version)).status).toBe(status);
  });

  it('of an unknown node is not found, and below 1.22 nothing is', async () => {
    expect((await beat(good, '1.115', UNKNOWN)).status).toBe(404);
    expect((await beat(good, '1.21')).status).toBe(404);
  });
});

describe('posted inspection data', () => {
  beforeEach(() => start());
  const post = (body: unknown, version?: string, query = '', headers?: Record<string, string>) =>
    api.call('POST', `/v1/continue_inspection${query}`, version, body, headers);

  it('without a version is answered as an inspector would', async () => {
    const { status, body } = await post(data);
    expect([status, body]).toEqual([202, { uuid: node }]);
    expect(commandsOf('ContinueInspection')).toMatchObject([
      { askedNode: null, inventory: data.inventory, pluginData: { root_disk: null }, tokenDigest: null },
    ]);
  });

  it('from 1.84 on is answered as a lookup, with a token', async () => {
    const { status, body } = await post(data, '1.84', `?node_uuid=${node}`);
    expect([status, body.node.uuid]).toEqual([202, node]);
    const [command] = commandsOf('ContinueInspection');
    expect([command?.askedNode, command?.tokenDigest]).toEqual([node, digestOf(body.config.agent_token)]);
  });

  it.each([undefined, 'application/json; charset=utf-8', 'text/plain'])(
    'is taken with content type %s (CBK-13)',
    async (type) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const bytes = new TextEncoder().encode(JSON.stringify(data));
      const url = `${api.api.url}/v1/continue_inspection`;
      expect((await fetch(url, { method: 'POST', headers, body: bytes })).status).toBe(202);
    },
  );

  it.each<[string, unknown, string | undefined, string, number]>([
    ['1.83', data, '1.83', '', 404],
    ['1.2', data, '1.2', '', 404],
    ['1.1 and a node', data, '1.1', `?node_uuid=${UNKNOWN}`, 404],
    ['an old version and no data', {}, '1.83', '', 400],
    ['no body', undefined, '1.115', '', 400],
    ['half a body', '{', '1.115', '', 400],
    ['a list', [], '1.115', '', 400],
    ['no inventory', {}, '1.115', '', 400],
    ['no interfaces', { inventory: {} }, '1.115', '', 400],
    ['an empty list of interfaces', { inventory: { interfaces: [] } }, '1.115', '', 400],
    ['an interface without a MAC', { inventory: { interfaces: [{}] } }, '1.115', '', 400],
    ['nothing to be found by', { inventory: { interfaces: [{ mac_address: 'zz' }] } }, '1.115', '', 400],
    [
      'a BMC of loopback',
      { inventory: { interfaces: [{ mac_address: '' }], bmc_address: '127.0.0.1' } },
      '1.115',
      '',
      400,
    ],
    ['a BMC that is no text', { inventory: { interfaces: [{ mac_address: MAC }], bmc_address: 5 } }, '1.115', '', 400],
    ['a BMC alone', { inventory: { interfaces: [{ mac_address: '' }], bmc_address: '192.0.2.1' } }, '1.115', '', 202],
    ['a bad UUID', data, '1.115', '?node_uuid=zz', 400],
    ['an unknown argument', data, '1.115', '?colour=blue', 400],
  ])('with %s', async (_what, body, version, query, status) => {
    expect((await post(body, version, query)).status).toBe(status);
  });

  it('says in the form of the resource what version it needs', async () => {
    const { status, fault } = await post(data, '1.83');
    expect([status, fault.faultcode, fault.faultstring]).toEqual([404, 'Client', expect.stringContaining('1.84')]);
  });

  it('passes on what the conductor refuses', async () => {
    api.script.answer = () => ({ ok: false, code: 'NODE_LOCKED', message: 'locked' });
    expect((await post(data)).status).toBe(409);
    api.script.answer = () => ({ ok: false, code: 'UNAVAILABLE', message: 'not now' });
    expect((await post(data)).status).toBe(503);
  });
});
