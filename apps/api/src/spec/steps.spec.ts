/** Steps and runbooks of provisioning requests over real HTTP. contract: node-api.md §10 (steps 7-16) */
import type { Command } from '@lib/contracts';
import { ApiHarness } from './api-harness';

let api: ApiHarness;
let node: string;
let book: string;
const step = { interface: 'bios', step: 'apply' };
beforeEach(async () => {
  api = await ApiHarness.start();
  node = await api.node({}, { provision_state: 'manageable', traits: ['CUSTOM_BOOK', 'CUSTOM_B'] });
  book = await runbook('CUSTOM_BOOK');
});
afterEach(() => api.stop());

const runbook = async (name: string, steps: object[] = [{ ...step, order: 1 }], rest: object = {}): Promise<string> => {
  const { body } = await api.call('POST', '/v1/runbooks', '1.112', { name, steps, ...rest });
  return body.uuid as string;
};
const withTraits = (uuid: string, traits: string[]) => api.script.set(uuid, { traits }, 'runbook');
const provision = (body: unknown, version = '1.115', uuid = node) =>
  api.call('PUT', `/v1/nodes/${uuid}/states/provision`, version, body);
const asked = (): Command | undefined =>
  api.script.received.map(({ command }) => command).findLast(({ type }) => type === 'Provision');
const faultOf = async (sent: ReturnType<typeof provision>) => {
  const { status, fault } = await sent;
  return `${status} ${fault?.faultstring ?? ''}`;
};

describe('a runbook', () => {
  it('goes to the conductor by its UUID, whose word on the ramdisk replaces that of the request', async () => {
    await withTraits(book, ['CUSTOM_B']);
    const { status } = await provision({ target: 'clean', runbook: 'CUSTOM_BOOK', disable_ramdisk: true });
    expect(status).toBe(202);
    expect(asked()).toEqual({ type: 'Provision', uuid: node, target: 'clean', args: { runbook: book } });
    const other = await runbook('CUSTOM_OTHER', undefined, { disable_ramdisk: true });
    await withTraits(other, ['CUSTOM_B', 'CUSTOM_Z']);
    expect((await provision({ target: 'clean', runbook: other })).status).toBe(202);
    expect(asked()).toMatchObject({ args: { runbook: other, disable_ramdisk: true } });
  });

  it('speaks by its name for older clients', async () => {
    expect((await provision({ target: 'clean', runbook: book }, '1.111')).status).toBe(202);
    const other = await runbook('CUSTOM_OTHER');
    await withTraits(other, ['CUSTOM_B']);
    expect(await faultOf(provision({ target: 'clean', runbook: other }, '1.111'))).toMatch(/^400 .*no trait of node/);
  });

  it.each<[string, unknown, string, RegExp]>([
    ['too old a version', { target: 'clean', runbook: 'CUSTOM_BOOK' }, '1.91', /^406 /],
    ['an unknown one', { target: 'clean', runbook: 'CUSTOM_NONE' }, '1.115', /^404 .*CUSTOM_NONE/],
    ['one without traits', { target: 'clean', runbook: 'CUSTOM_BOOK' }, '1.115', /^400 .*has no traits/],
    ['steps beside it', { target: 'clean', runbook: 'CUSTOM_BOOK', clean_steps: [step] }, '1.111', /^400 .*together/],
    ['another verb', { target: 'inspect', runbook: 'CUSTOM_BOOK' }, '1.111', /^400 .*clean or service/],
    ['a number', { target: 'clean', runbook: 5 }, '1.115', /^400 .*runbook/],
  ])('is refused with %s', async (_what, body, version, text) => {
    expect(await faultOf(provision(body, version))).toMatch(text);
    expect(asked()).toBeUndefined();
  });

  it('that has no trait in common with the node is refused', async () => {
    await withTraits(book, ['CUSTOM_Z']);
    expect(await faultOf(provision({ target: 'clean', runbook: book }))).toMatch(/^400 .*no trait in common/);
  });

  it('serves a service too, whose ramdisk may be left out since 1.108', async () => {
    const active = await api.node({}, { provision_state: 'active', traits: ['CUSTOM_R'] });
    await runbook('CUSTOM_R', undefined, { disable_ramdisk: true });
    const body = { target: 'service', runbook: 'CUSTOM_R' };
    expect(await faultOf(provision(body, '1.107', active))).toMatch(/^406 /);
    expect((await provision(body, '1.108', active)).status).toBe(202);
  });
});

describe('steps that the settings refuse', () => {
  const raw = { interface: 'vendor', step: 'send_raw' };
  it('are refused by name, wherever they come from', async () => {
    const clean = provision({ target: 'clean', clean_steps: [step, raw] });
    expect(await faultOf(clean)).toMatch(/^400 The step vendor\.send_raw is not allowed in clean_steps/);
    await runbook('CUSTOM_B', [{ ...raw, order: 1 }]);
    expect(await faultOf(provision({ target: 'clean', runbook: 'CUSTOM_B' }, '1.111'))).toMatch(/^400 .*send_raw/);
    const ready = await api.node({}, { provision_state: 'available' });
    const deploy_steps = [{ ...raw, args: {}, priority: 1 }];
    expect(await faultOf(provision({ target: 'active', deploy_steps }, '1.115', ready))).toMatch(/^400 .*deploy_steps/);
    expect(asked()).toBeUndefined();
  });
});

it('refuses a pause that is no time', async () => {
  for (const seconds of ['soon', -1, 1e6, null, ' ']) {
    const clean_steps = [{ ...step, step: 'wait', args: { seconds } }];
    expect(await faultOf(provision({ target: 'clean', clean_steps }))).toMatch(/^400 .*seconds/);
  }
});
