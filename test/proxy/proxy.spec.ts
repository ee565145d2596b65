/** The stack behind a real reverse proxy: https outside, another host name, the api below a path. */
import { Api, macOf, ramdiskReport, startStack, until, type Answer, type Settings, type Stack } from '../stack';
import { describeBehindNginx, HOST_NAME, Nginx } from './nginx';
import type { Sent } from './secure-client';
import { locationOf, walk } from './walk';

jest.setTimeout(180_000);

const MIB = 1024 * 1024;
const SETTINGS: Settings = {
  DEFAULT: { enabled_inspect_interfaces: 'agent, fake, no-inspect' },
  inspector: { require_managed_boot: 'false' },
};
const TRUSTING: Settings = { oslo_middleware: { enable_proxy_headers_parsing: 'true' } };
/** What a gateway says while what is behind it is away; nothing is known of the request then. */
const AWAY = new Set([502, 503, 504]);

/** Links of the version document that take no plain GET: their paths are for ramdisks and for POST. */
const NOT_FOR_GET: Readonly<Record<string, number>> = {
  continue_inspection: 405,
  events: 405,
  heartbeat: 404,
  lookup: 400,
};

describeBehindNginx('behind nginx', () => {
  let stack: Stack;
  let nginx: Nginx;
  let direct: Api;
  let numbers = 0;

  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, services: ['conductor', 'scheduler', 'api'] });
    nginx = await Nginx.start(stack.apiUrl);
    direct = new Api(stack.apiUrl);
  }, 300_000);
  afterAll(async () => {
    await nginx?.stop();
    await stack?.stop();
  });

  async function restartApi(settings: Settings): Promise<void> {
    stack.configure('api', settings);
    await stack.kill('api', 'SIGTERM');
    await stack.restart('api');
  }

  const call = (method: string, path: string, body?: unknown, headers: Sent['headers'] = {}): Promise<Answer> =>
    nginx.client.call(method, `${nginx.base('silent')}${path}`, {
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  async function must(status: number, ...asked: Parameters<typeof call>): Promise<Answer> {
    const answer = await call(...asked);
    if (answer.status !== status)
      throw new Error(`${asked[0]} ${asked[1]}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  }

  /** As clients do: again, the very same request, while the gateway has nobody to ask or the connection breaks. */
  async function insist(...asked: Parameters<typeof call>): Promise<Answer> {
    return until(
      `${asked[0]} ${asked[1]}`,
      async () => {
        const answer = await call(...asked);
        if (AWAY.has(answer.status)) throw new Error(`${answer.status}`);
        return answer;
      },
      { timeoutMs: 90_000, everyMs: 20 },
    );
  }

  /** In `inspect wait`, its ramdisk expected. */
  async function inspected(): Promise<{ uuid: string; mac: string }> {
    const mac = macOf((numbers += 1));
    const { json } = await must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware', inspect_interface: 'agent' });
    const { uuid } = json as { uuid: string };
    await must(201, 'POST', '/v1/ports', { node_uuid: uuid, address: mac });
    await must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' });
    await direct.state(uuid, 'manageable');
    await must(202, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'inspect' });
    await direct.state(uuid, 'inspect wait');
    return { uuid, mac };
  }

  /** What a ramdisk posts, with logs that make it as large as it may be. */
  function largeReport(mac: string, bytes = 16 * MIB): unknown {
    const report = { ...(ramdiskReport(mac) as object), logs: '' };
    return { ...report, logs: 'A'.repeat(bytes - JSON.stringify(report).length) };
  }

  const resumed = async (uuid: string): Promise<number> =>
    (await direct.events(uuid)).filter(({ type }) => type === 'InspectionResumed').length;

  it('links stay those of the api while nobody said that the proxy is to be trusted', async () => {
    for (const place of ['baremetal', 'standard', 'silent'] as const) {
      const answer = await nginx.client.call('GET', `${nginx.base(place)}/v1/nodes?limit=1`);
      expect(answer.status).toBe(200);
      const root = await nginx.client.call('GET', `${nginx.base(place)}/`);
      const { default_version: version } = root.json as { default_version: { links: { href: string }[] } };
      expect(version.links[0]?.href).toBe(`${stack.apiUrl}/v1/`);
    }
  });

  describe.each([
    ['X-Forwarded headers', 'baremetal', TRUSTING],
    ['Forwarded', 'standard', null],
    ['public_endpoint, whatever the proxy says', 'silent', 'endpoint'],
  ] as const)('by %s', (_how, place, settings) => {
    let base: string;
    beforeAll(async () => {
      base = nginx.base(place);
      if (settings !== null) await restartApi(settings === 'endpoint' ? { api: { public_endpoint: base } } : settings);
    });

    const at = (method: string, path: string, body?: unknown): Promise<Answer> =>
      nginx.client.call(method, `${base}${path}`, body === undefined ? {} : { body: JSON.stringify(body) });

    it('a client gets everywhere by the links, `next` and `Location` that it is given', async () => {
      const nodes = await Promise.all([1, 2, 3].map(() => at('POST', '/v1/nodes', { driver: 'fake-hardware' })));
      const uuids = nodes.map(({ json }) => (json as { uuid: string }).uuid);
      const chassis = await at('POST', '/v1/chassis', {});
      const ports = await Promise.all(
        uuids.map((node_uuid) => at('POST', '/v1/ports', { node_uuid, address: macOf((numbers += 1)) })),
      );
      const verb = await at('PUT', `/v1/nodes/${uuids[0]}/states/provision`, { target: 'manage' });
      const trait = await at('PUT', `/v1/nodes/${uuids[1]}/traits/CUSTOM_T`);
      const locations = [...nodes, chassis, ...ports, verb].map(locationOf);
      expect(locations.filter((one) => !one.startsWith(`${base}/v1/`))).toEqual([]);
      expect(locationOf(trait)).toBe(`${base}/v1/nodes/${uuids[1]}/traits/CUSTOM_T`);
      const pages = ['nodes', 'ports', 'nodes/detail'].map((one) => `${base}/v1/${one}?limit=1`);
      const walked = await walk(nginx.client, base, [`${base}/`, ...pages, ...locations]);
      const unexpected = Object.entries(walked.refused).filter(([address, status]) => {
        const [, word = ''] = /\/([a-z_]+)\/?$/.exec(address) ?? [];
        return NOT_FOR_GET[word] !== status;
      });
      expect(unexpected).toEqual([]);
      expect(walked.foreign.filter((one) => one.includes('127.0.0.1') || one.includes(HOST_NAME))).toEqual([]);
      for (const uuid of uuids) expect(walked.followed).toContain(`${base}/nodes/${uuid}/states`);
      expect(walked.followed.filter((one) => one.includes('marker=')).length).toBeGreaterThanOrEqual(6);
    });
  });

  describe('with a public endpoint', () => {
    it('conditional requests work through it', async () => {
      const { json } = await must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware' });
      const path = `/v1/nodes/${(json as { uuid: string }).uuid}`;
      const { etag = '' } = (await must(200, 'GET', path)).headers;
      const unchanged = await must(304, 'GET', path, undefined, { 'If-None-Match': etag });
      expect([unchanged.text, unchanged.headers['etag']]).toEqual(['', etag]);
      const patch = [{ op: 'add', path: '/extra/k', value: 1 }];
      await must(200, 'PATCH', path, patch, { 'If-Match': etag });
      await must(412, 'PATCH', path, patch, { 'If-Match': etag });
    });

    it('a ramdisk uploads 16 MiB, and no byte more', async () => {
      const { uuid, mac } = await inspected();
      const path = `/v1/continue_inspection?node_uuid=${uuid}`;
      const refused = await call('POST', path, largeReport(mac, 16 * MIB + 1));
      expect([refused.status, Object.keys(refused.json as object)]).toEqual([413, ['faultcode', 'faultstring']]);
      await must(202, 'POST', path, largeReport(mac));
      await direct.state(uuid, 'manageable');
      expect(await resumed(uuid)).toBe(1);
    });

    it('no accepted creation is lost or doubled while api and conductor are killed and come back', async () => {
      const wanted = Array.from({ length: 40 }, (_, n) => n);
      const answers = new Map<number, Answer>();
      const left = [...wanted];
      const one = async (): Promise<void> => {
        for (let n = left.shift(); n !== undefined; n = left.shift()) {
          const body = { driver: 'fake-hardware', extra: { round: 'creations', n } };
          answers.set(n, await insist('POST', '/v1/nodes', body, { 'Idempotency-Key': `creation-${n}` }));
        }
      };
      const clients = Promise.all([1, 2, 3, 4].map(one));
      for (const [victim, after] of [
        ['api', 10],
        ['conductor', 25],
      ] as const) {
        await until(`${after} answers`, () => answers.size >= after, { everyMs: 5, timeoutMs: 90_000 });
        await stack.kill(victim, 'SIGKILL');
        await stack.restart(victim);
      }
      await clients;
      expect([...answers.values()].map(({ status }) => status)).toEqual(wanted.map(() => 201));
      const { json } = await must(200, 'GET', '/v1/nodes?fields=uuid,extra');
      const nodes = (json as { nodes: { uuid: string; extra: { round?: string; n?: number } }[] }).nodes;
      const made = nodes.filter(({ extra }) => extra.round === 'creations');
      expect(made.map(({ extra }) => extra.n).sort((a = 0, b = 0) => a - b)).toEqual(wanted);
      for (const { uuid, extra } of made)
        expect(answers.get(extra.n ?? -1)?.json).toMatchObject({ uuid, extra: { n: extra.n } });
      // The same keys once more, to an api that was not there when they were new.
      for (const n of [0, 20, 39]) {
        const body = { driver: 'fake-hardware', extra: { round: 'creations', n } };
        const again = await must(201, 'POST', '/v1/nodes', body, { 'Idempotency-Key': `creation-${n}` });
        expect([again.text, locationOf(again)]).toEqual([answers.get(n)?.text, locationOf(answers.get(n) as Answer)]);
      }
    });

    it('uploads and a verb that meet a restart have one effect each, with a key and without', async () => {
      const [keyed, plain] = [await inspected(), await inspected()];
      const { json } = await must(201, 'POST', '/v1/nodes', { driver: 'fake-hardware' });
      const { uuid } = json as { uuid: string };
      const upload = ({ uuid: node, mac }: typeof keyed, headers = {}) =>
        insist('POST', `/v1/continue_inspection?node_uuid=${node}`, largeReport(mac), headers);
      const verb = () =>
        insist('PUT', `/v1/nodes/${uuid}/states/provision`, { target: 'manage' }, { 'Idempotency-Key': 'verb' });
      const asked = Promise.all([upload(keyed, { 'Idempotency-Key': 'upload' }), upload(plain), verb()]);
      await stack.kill('api', 'SIGKILL');
      await stack.restart('api');
      const [withKey, without, managed] = await asked;
      expect(withKey.status).toBe(202);
      // Without a key who comes again after the data was taken is no longer waited for.
      expect([202, 404]).toContain(without.status);
      expect([managed.status, locationOf(managed)]).toEqual([202, `${nginx.base('silent')}/v1/nodes/${uuid}/states`]);
      for (const one of [keyed.uuid, plain.uuid, uuid]) await direct.state(one, 'manageable', { timeoutMs: 60_000 });
      expect([await resumed(keyed.uuid), await resumed(plain.uuid)]).toEqual([1, 1]);
      expect((await direct.events(uuid)).filter(({ type }) => type === 'WorkStarted')).toHaveLength(1);
    });
  });
});
