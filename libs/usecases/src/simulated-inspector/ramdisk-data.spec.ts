import type { JsonObject } from '@lib/domain/introspection';
import { dataOf, MAC, NODE, setUp } from '../../../../test/inspector/world';
import { BareMetalApiError } from './bare-metal-api';

describe('the ramdisk’s data', () => {
  it('is written to the node, stored without logs, and the machine is powered off at the end', async () => {
    const { api, inspector, start, settle, status } = setUp();
    await start();
    expect(await inspector.continue('rest', dataOf(MAC))).toEqual({ status: 200, body: { uuid: NODE } });
    await settle();
    expect(api.properties).toEqual({
      local_gb: '99',
      cpus: '4',
      cpu_arch: 'x86_64',
      memory_mb: '8192',
      capabilities: 'cpu_vt:true,cpu_aes:true',
    });
    expect(api.calls.at(-1)).toBe('power power off');
    expect(await status()).toMatchObject({ state: 'finished', finished: true, error: null });
    const { body } = await inspector.data('rest', NODE, 'processed');
    expect(body).toMatchObject({ cpus: 4, macs: [MAC] });
    expect(body).not.toHaveProperty('logs');
    expect((await inspector.data('rest', NODE, 'unprocessed')).body).not.toHaveProperty('macs');
  });

  it('leaves power alone when the conductor managed boot', async () => {
    const { api, inspector, settle } = setUp();
    await inspector.start('rest', NODE, { manageBoot: false });
    await inspector.continue('rest', dataOf(MAC));
    await settle();
    expect(api.calls.some((call) => call.startsWith('power'))).toBe(false);
  });

  it('leaves the row waiting when the ramdisk reports an error, and right data succeeds later', async () => {
    const { inspector, start, status, settle } = setUp();
    await start();
    const bad = await inspector.continue('rest', dataOf(MAC, { error: 'disk on fire' }));
    expect(bad).toMatchObject({ status: 400, body: { error: { message: expect.any(String) } } });
    expect(await status()).toMatchObject({ state: 'waiting', error: null });
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(200);
    await settle();
    expect(await status()).toMatchObject({ state: 'finished' });
  });

  it.each([
    ['nothing of use', {}],
    ['a list', []],
    ['a text', 'x'],
    ['an unknown MAC', dataOf('52:54:00:ff:ff:ff')],
    ['no interfaces', { inventory: { interfaces: [], cpu: {}, memory: {}, disks: [] } }],
  ])('is refused with 400: %s', async (_case, body) => {
    const { inspector, start, status } = setUp();
    await start();
    expect((await inspector.continue('rest', body)).status).toBe(400);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });

  it('is refused once the run has ended: doubled, late, or racing with itself', async () => {
    const { inspector, start, settle } = setUp();
    await start();
    const answers = await Promise.all([1, 2, 3].map(() => inspector.continue('rest', dataOf(MAC))));
    await settle();
    answers.push(await inspector.continue('rest', dataOf(MAC)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it.each(['node', 'patch', 'ports', 'patchPort'])(
    'ends with 400 when the node is deleted at its "%s"',
    async (call) => {
      const { api, inspector, start, status } = setUp();
      await start();
      api.portList = [{ uuid: 'p1', address: MAC, pxeEnabled: false }];
      api.faults.set(call, [new BareMetalApiError(404, 'Node could not be found.')]);
      expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(400);
      expect(await status()).toMatchObject({ state: 'error', error: expect.stringContaining('could not be found') });
    },
  );

  it('fails by a rule: its text, properties written, power still on', async () => {
    const { api, inspector, start, settle, status } = setUp();
    await inspector.createRule(
      {
        conditions: [{ op: 'eq', field: 'cpus', value: 4 }],
        actions: [{ action: 'fail', message: 'four is too few' }],
      },
      201,
    );
    await start();
    expect(await inspector.continue('rest', dataOf(MAC))).toEqual({
      status: 400,
      body: { error: { message: 'four is too few' } },
    });
    await settle();
    expect(await status()).toMatchObject({ state: 'error', finished: true, error: 'four is too few' });
    expect(api.properties).toHaveProperty('cpus', '4');
    expect(api.calls).not.toContain('power power off');
  });

  it('runs the actions of fitting rules', async () => {
    const { api, inspector, start } = setUp();
    await inspector.createRule(
      {
        actions: [
          { action: 'set-attribute', path: '/properties/rack', value: 'r{data[cpus]}' },
          { action: 'add-trait', name: 'CUSTOM_X' },
        ],
      },
      201,
    );
    await start();
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(200);
    expect(api.properties).toHaveProperty('rack', 'r4');
    expect(api.calls).toContain('addTrait CUSTOM_X');
  });

  it('ends the run in error when the node left, or its power cannot be switched off', async () => {
    const { api, inspector, start, settle, status, clock } = setUp();
    await start();
    api.provisionState = 'active';
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(400);
    expect(await status()).toMatchObject({ state: 'error', error: expect.stringContaining('active') });
    api.provisionState = 'inspect wait';
    await start();
    api.faults.set(
      'power',
      Array.from({ length: 5 }, () => new BareMetalApiError(500, 'BMC is down')),
    );
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(200);
    await settle();
    await clock.advanceBy(4000);
    expect(await status()).toMatchObject({ state: 'error', error: expect.stringContaining('BMC is down') });
  });

  it('can be applied again, from the store or from a body, without touching power', async () => {
    const { api, inspector, start, settle, status } = setUp();
    await start();
    expect((await inspector.reapply('rest', NODE, undefined)).status).toBe(404);
    await inspector.continue('rest', dataOf(MAC));
    await settle();
    const before = api.calls.filter((call) => call.startsWith('power')).length;
    api.properties = {};
    expect((await inspector.reapply('rest', NODE, undefined)).status).toBe(202);
    await settle();
    expect(api.properties).toHaveProperty('cpus', '4');
    expect((await inspector.reapply('rest', NODE, { error: 'bad' })).status).toBe(202);
    await settle();
    expect(await status()).toMatchObject({ state: 'error', error: expect.stringContaining('bad') });
    expect((await inspector.reapply('rest', NODE, [])).status).toBe(400);
    expect(api.calls.filter((call) => call.startsWith('power')).length).toBe(before);
  });

  it('is not kept where nothing is stored', async () => {
    const { inspector, start, settle } = setUp({ storeData: false });
    await start();
    await inspector.continue('rest', dataOf(MAC));
    await settle();
    expect((await inspector.data('rest', NODE, 'processed')).status).toBe(404);
    expect((await inspector.reapply('rest', NODE, undefined)).status).toBe(400);
  });
});

describe('the clean-up', () => {
  it('ends a run after 3600 s, at the next look [2.10]', async () => {
    const { clock, start, status } = setUp();
    await start();
    await clock.advanceTo(3_600_000);
    expect(await status()).toMatchObject({ state: 'waiting' });
    await clock.advanceTo(3_660_000);
    expect(await status()).toMatchObject({ state: 'error', finished: true, error: 'Introspection timeout' });
  });

  it('forgets nodes that the API no longer has', async () => {
    const { api, clock, inspector, start } = setUp();
    await start();
    await clock.advanceBy(60_000);
    expect((await inspector.status('rest', NODE)).status).toBe(200);
    api.gone = true;
    await clock.advanceBy(60_000);
    expect((await inspector.status('rest', NODE)).status).toBe(404);
  });

  it('forgets nothing while the API does not answer, and is off with a period of 0', async () => {
    const { api, clock, inspector, start } = setUp();
    await start();
    api.gone = true;
    api.faults.set('nodeUuids', [new BareMetalApiError(400, 'odd')]);
    await clock.advanceBy(60_000);
    expect((await inspector.status('rest', NODE)).status).toBe(200);
    const off = setUp({ cleanUpPeriodMs: 0 });
    await off.start();
    await off.clock.advanceBy(10_000_000);
    expect(await off.status()).toMatchObject({ state: 'waiting' });
  });
});

describe('the list', () => {
  it('pages, filters and refuses bad queries', async () => {
    const { inspector, start } = setUp({ listMax: 10 });
    await start();
    const uuids = async (query: object): Promise<unknown> =>
      ((await inspector.list(query)).body as { introspection?: JsonObject[] }).introspection?.map((row) => row['uuid']);
    expect(await uuids({})).toEqual([NODE]);
    expect(await uuids({ limit: '0', state: 'waiting,error' })).toEqual([NODE]);
    expect(await uuids({ state: 'finished' })).toEqual([]);
    expect(await uuids({ marker: NODE })).toEqual([]);
    for (const query of [{ limit: '-1' }, { limit: 'x' }, { limit: '11' }, { marker: 'x' }, { state: 'nope' }]) {
      expect((await inspector.list(query)).status).toBe(400);
    }
    expect((await inspector.list({ marker: '00000000-2222-4333-8444-555555555555' })).status).toBe(404);
  });
});
