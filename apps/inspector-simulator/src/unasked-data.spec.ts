import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemChance } from '@lib/adapters/system-clock';
import { ManualClock } from '@lib/testing';
import { FakeBareMetalHttp } from '../../../test/inspector/fake-bare-metal-http';
import { dataOf, quiet } from '../../../test/inspector/world';
import { type InspectorSimulator, type InspectorSimulatorSettings, startInspectorSimulator } from './index';

const NODE = '11111111-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';
const STRANGE_MAC = '52:54:00:00:00:77';

describe('data that comes to the simulator without a start', () => {
  let folder: string;
  let api: FakeBareMetalHttp;
  let clock: ManualClock;
  let simulator: InspectorSimulator | null = null;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ramdisk-logs-'));
    api = await new FakeBareMetalHttp().open();
    api.addNode(NODE, 'n.1', MAC);
    clock = new ManualClock('2026-11-30T10:00:00Z');
  });
  afterEach(async () => {
    await simulator?.stop();
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (options: Partial<InspectorSimulatorSettings>): Promise<void> => {
    const settings = { host: '127.0.0.1', port: 0, apiUrl: api.url, prefix: 'test', ...options };
    simulator = await startInspectorSimulator({ settings, bus: null, clock, chance: systemChance, logger: quiet });
  };
  const call = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${simulator?.url}${path}`, { method, ...sent });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('makes nodes of machines that nobody knows, with their ports, and is taken of a machine in use', async () => {
    await start({ permitActive: true, enrollDriver: 'fake-hardware' });
    const { status, body } = await call('POST', '/v1/continue', dataOf(STRANGE_MAC));
    expect(status).toBe(200);
    const uuid = String(body['uuid']);
    for (let tries = 0; tries < 500; tries += 1) {
      if ((await call('GET', `/v1/introspection/${uuid}`)).body['state'] === 'finished') break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect((await call('GET', `/v1/introspection/${uuid}`)).body).toMatchObject({ state: 'finished', error: null });
    expect(api.nodes.get(uuid)).toMatchObject({ driver: 'fake-hardware', properties: { cpus: '4' } });
    expect(api.portsOf(uuid).map((port) => port['address'])).toEqual([STRANGE_MAC]);
    Object.assign(api.nodes.get(NODE) ?? {}, { provision_state: 'active' });
    expect(await call('POST', '/v1/continue', dataOf(MAC))).toMatchObject({ status: 200, body: { uuid: NODE } });
  });

  it.each([
    [false, ['unknown_20261130-100000.250000.tar.gz', `${NODE}_20261130-100000.250000.tar.gz`]],
    [true, ['unknown', NODE, NODE].map((name, i) => `${name}_20261130-100000.${i < 2 ? '250000' : '500000'}.tar.gz`)],
  ])('leaves its logs where it is not taken, or always: %s', async (alwaysKeepLogs, names) => {
    const kept = join(folder, 'made');
    await start({ alwaysKeepLogs, ramdiskLogsFolder: kept });
    await call('POST', `/v1/introspection/${NODE}?manage_boot=0`);
    await clock.advanceBy(250);
    expect((await call('POST', '/v1/continue', dataOf(STRANGE_MAC))).status).toBe(400);
    expect((await call('POST', '/v1/continue', dataOf(MAC, { error: 'no disks' }))).status).toBe(400);
    await clock.advanceBy(250);
    expect((await call('POST', '/v1/continue', dataOf(MAC))).status).toBe(200);
    expect(readdirSync(kept).sort()).toEqual([...names].sort());
    expect(readFileSync(join(kept, names[0] ?? ''), 'utf8')).toBe('many');
  });
});
