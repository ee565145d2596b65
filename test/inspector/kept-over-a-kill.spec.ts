import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack, until } from '../stack';
import { FakeBareMetalHttp } from './fake-bare-metal-http';
import { dataOf } from './world';

jest.setTimeout(240_000);

const SCRIPTED = '11111111-2222-4333-8444-555555555555';
const OTHER = '22222222-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';
const OTHER_MAC = '52:54:00:12:34:47';

describe('an inspector-simulator with a state file, as a process of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-over-a-kill-'));
  let api: FakeBareMetalHttp;
  let stack: Stack;

  beforeAll(async () => {
    api = await new FakeBareMetalHttp().open();
    api.addNode(SCRIPTED, 'scripted', MAC, { extra: { simulator: { script: 'succeed', after: 3 } } });
    api.addNode(OTHER, 'other', OTHER_MAC);
    const settings = { simulator: { api_endpoint: api.url, state_file: join(folder, 'state.sqlite') } };
    stack = await startStack({ settings, layout: 'services', services: ['inspector-simulator'] });
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    await api?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const ask = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${stack.inspectorUrl}/v1/${path}`, { method, ...sent });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('that is killed knows when it is back what it had answered, and does what was still to be done', async () => {
    for (const node of [SCRIPTED, OTHER]) {
      expect((await ask('POST', `introspection/${node}?manage_boot=False`)).status).toBe(202);
    }
    const rule = { actions: [{ action: 'set-attribute', path: '/extra/ruled', value: 'yes' }] };
    expect((await ask('POST', 'rules', rule)).status).toBe(201);
    expect((await ask('POST', 'continue', dataOf(OTHER_MAC))).status).toBe(200);
    await stack.kill('inspector-simulator', 'SIGKILL');
    await stack.restart('inspector-simulator');
    expect((await ask('GET', `introspection/${OTHER}/data`)).body).toMatchObject({ macs: [OTHER_MAC], cpus: 4 });
    expect((await ask('GET', 'rules')).body['rules']).toHaveLength(1);
    await until('the ramdisk posts', async () => (await ask('GET', `introspection/${SCRIPTED}`)).body['finished']);
    expect((await ask('GET', `introspection/${SCRIPTED}`)).body).toMatchObject({ state: 'finished', error: null });
    expect(api.nodes.get(SCRIPTED)).toMatchObject({ extra: { ruled: 'yes' } });
  });
});
