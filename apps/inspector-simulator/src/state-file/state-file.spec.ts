import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemChance } from '@lib/adapters/system-clock';
import { ManualClock } from '@lib/testing';
import { Database } from 'sqlite3';
import { FakeBareMetalHttp } from '../../../../test/inspector/fake-bare-metal-http';
import { dataOf, quiet } from '../../../../test/inspector/world';
import { startInspectorSimulator } from '../index';
import { openStateFile } from './state-file';

const NODE = '11111111-2222-4333-8444-555555555555';
const MAC = '52:54:00:12:34:46';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'state-file-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the state file', () => {
  it('gives back what was saved, and no longer what was taken away', async () => {
    const path = join(folder, 'made', 'on the way', 'state.sqlite');
    const first = await openStateFile(path);
    await first.save(
      new Map<string, unknown>([
        ['a', { x: [1, null, 'ü'] }],
        ['b', 2],
      ]),
    );
    await first.save(
      new Map<string, unknown>([
        ['a', { x: 2 }],
        ['b', null],
      ]),
    );
    await first.close();
    const second = await openStateFile(path);
    expect([...second.documents]).toEqual([['a', { x: 2 }]]);
    await second.close();
  });

  it('is one simulator’s alone, until that ends', async () => {
    const path = join(folder, 'state.sqlite');
    const first = await openStateFile(path);
    await expect(openStateFile(path)).rejects.toThrow(/Another inspector-simulator holds .*state_file/);
    await first.close();
    await (await openStateFile(path)).close();
  });

  it('is not read where another release gave it another shape', async () => {
    const path = join(folder, 'state.sqlite');
    await (await openStateFile(path)).close();
    const database = new Database(path);
    await new Promise<void>((resolve) => database.exec('PRAGMA user_version = 99', () => resolve()));
    await new Promise<void>((resolve) => database.close(() => resolve()));
    await expect(openStateFile(path)).rejects.toThrow('was written by another release');
  });

  it('a save that cannot be done whole is not done', async () => {
    const file = await openStateFile(join(folder, 'state.sqlite'));
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(file.save(new Map<string, unknown>([['a', 1], ['b', circle]]))).rejects.toThrow(/circular/i); // prettier-ignore
    await file.save(new Map([['c', 3]]));
    await file.close();
    const again = await openStateFile(join(folder, 'state.sqlite'));
    expect([...again.documents.keys()]).toEqual(['c']);
    await again.close();
  });
});

describe('a simulator with a state file', () => {
  const ask = async (url: string, method = 'GET', body?: unknown) => {
    const response = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it.each([
    ['killed', false],
    ['stopped', true],
  ])('that was %s goes on with the introspection that it had begun', async (_how, politely) => {
    const api = await new FakeBareMetalHttp().open();
    api.addNode(NODE, 'n.1', MAC, { extra: { simulator: { script: 'succeed', after: 5 } } });
    const clock = new ManualClock('2026-12-01T10:00:00Z');
    const start = (name: string) =>
      startInspectorSimulator({
        settings: { host: '127.0.0.1', port: 0, apiUrl: api.url, prefix: 'x', stateFile: join(folder, name) },
        bus: null,
        clock,
        chance: systemChance,
        logger: quiet,
      });
    const first = await start('state.sqlite');
    expect((await ask(`${first.url}/v1/introspection/${NODE}?manage_boot=False`, 'POST')).status).toBe(202);
    expect((await ask(`${first.url}/v1/rules`, 'POST', { uuid: NODE, actions: [{ action: 'fail', message: 'x' }], scope: 'none' })).status).toBe(201); // prettier-ignore
    if (politely) await first.stop();
    // What kill -9 would leave at this moment: the file and its log as they are, in the middle of everything.
    for (const part of ['state.sqlite', 'state.sqlite-wal']) {
      const path = join(folder, part);
      if (existsSync(path)) copyFileSync(path, path.replace('state.sqlite', 'left.sqlite'));
    }
    if (!politely) await first.stop();
    const second = await start('left.sqlite');
    const url = `${second.url}/v1/introspection/${NODE}`;
    try {
      expect((await ask(url)).body).toMatchObject({ state: 'waiting', started_at: '2026-12-01T10:00:00' });
      expect((await ask(`${second.url}/v1/rules`)).body['rules']).toHaveLength(1);
      await clock.advanceBy(5000);
      for (let tries = 0; tries < 500 && (await ask(url)).body['finished'] !== true; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect((await ask(url)).body).toMatchObject({ state: 'finished', error: null });
      expect((await ask(`${url}/data`)).body).toMatchObject({ macs: expect.arrayContaining([MAC]) });
      expect((await ask(`${second.url}/v1/continue`, 'POST', dataOf(MAC))).status).toBe(400);
    } finally {
      await second.stop();
      await api.close();
    }
  });
});
