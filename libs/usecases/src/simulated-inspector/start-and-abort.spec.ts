import type { JsonObject } from '@lib/domain/introspection';
import { dataOf, type FakeApi, MAC, NODE, setUp } from '../../../../test/inspector/world';
import { BareMetalApiError } from './bare-metal-api';

describe('a start', () => {
  it('drives the machine and waits for its ramdisk', async () => {
    const { api, start, status } = setUp();
    expect(await start()).toBe(202);
    expect(api.calls).toEqual(['node', 'validate', 'ports', 'boot pxe false', 'power rebooting']);
    expect(await status()).toMatchObject({ state: 'waiting', finished: false, error: null });
  });

  it('reboots one machine after the other, with the pause between them that is asked for', async () => {
    const { api, clock, inspector, settle } = setUp({ introspectionDelayMs: 5000 });
    const others = ['22222222-2222-4333-8444-555555555555', '33333333-2222-4333-8444-555555555555'];
    const one = api.node.bind(api);
    api.node = async (ident) => {
      const node = await one(others.includes(ident) ? NODE : ident);
      return node && others.includes(ident) ? { ...node, uuid: ident } : node;
    };
    const reboots = () => api.calls.filter((call) => call === 'power rebooting').length;
    for (const uuid of [NODE, ...others]) {
      expect((await inspector.start('rest', uuid, { manageBoot: true })).status).toBe(202);
    }
    await settle();
    expect([reboots(), api.calls.filter((call) => call.startsWith('boot')).length]).toEqual([1, 3]);
    await clock.advanceBy(4999);
    expect(reboots()).toBe(1);
    await clock.advanceBy(1);
    expect(reboots()).toBe(2);
    expect((await inspector.list({ state: 'starting' })).body).toMatchObject({ introspection: [{ uuid: others[1] }] });
    await clock.advanceBy(5000);
    expect(reboots()).toBe(3);
    await clock.advanceBy(60_000);
    await inspector.start('rest', NODE, { manageBoot: true });
    await settle();
    expect(reboots()).toBe(4);
  });

  it('makes no machine wait that the conductor boots', async () => {
    const { inspector } = setUp({ introspectionDelayMs: 5000 });
    for (let i = 0; i < 2; i += 1) {
      expect((await inspector.start('bus', NODE, { manageBoot: false })).status).toBe(202);
    }
  });

  it('only reads when the conductor manages boot', async () => {
    const { api, inspector, status } = setUp();
    expect((await inspector.start('bus', 'n.1', { manageBoot: false })).status).toBe(202);
    expect(api.calls).toEqual(['node', 'ports']);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });

  it('sets the boot device for good when driver_info says Always', async () => {
    const { api, start } = setUp();
    api.driverInfo = { force_persistent_boot_device: 'Always' };
    await start();
    expect(api.calls).toContain('boot pxe true');
  });

  it.each([
    ['an unknown node', (api: FakeApi) => void (api.gone = true), 404],
    ['a state that is not inspectable', (api: FakeApi) => void (api.provisionState = 'active'), 400],
    [
      'a node whose power interface nobody can say anything about',
      (api: FakeApi) =>
        void api.faults.set(
          'validate',
          Array.from({ length: 5 }, () => new BareMetalApiError(400, 'odd')),
        ),
      400,
    ],
    ['a power interface that does not validate', (api: FakeApi) => void (api.powerOk = 'no address'), 400],
    ['a script that does not exist', (api: FakeApi) => void (api.extra = { simulator: { script: 'x' } }), 400],
  ])('refuses %s [1.11]', async (_case, arrange, code) => {
    const { api, start, inspector } = setUp();
    arrange(api);
    expect(await start()).toBe(code);
    expect((await inspector.status('rest', NODE)).status).toBe(404);
  });

  it.each(['enroll', 'manageable', 'inspecting', 'inspect wait', 'inspect failed'])(
    'takes a node in %s [1.10, 1.11, 1.25]',
    async (state) => {
      const { api, start } = setUp();
      api.provisionState = state;
      expect(await start()).toBe(202);
    },
  );

  it('tries a locked node five times, a second apart, then ends in error', async () => {
    const { api, clock, start, status } = setUp();
    api.faults.set(
      'power',
      Array.from({ length: 5 }, () => new BareMetalApiError(409, 'Node is locked by host h')),
    );
    await start();
    await clock.advanceBy(3999);
    expect(await status()).toMatchObject({ state: 'starting', finished: false });
    await clock.advanceBy(1);
    expect(api.calls.filter((call) => call === 'power rebooting')).toHaveLength(5);
    expect(await status()).toMatchObject({
      state: 'error',
      finished: true,
      error: expect.stringContaining('locked by host h'),
    });
  });

  it('goes on when the boot device cannot be set, and gives up when power cannot', async () => {
    const { api, start, status } = setUp();
    api.faults.set('boot', [new BareMetalApiError(400, 'unsupported')]);
    await start();
    expect(await status()).toMatchObject({ state: 'waiting' });
    api.faults.set('power', [new BareMetalApiError(400, 'unsupported')]);
    await start();
    expect(await status()).toMatchObject({ state: 'error', error: 'unsupported' });
  });

  it('answers with the failure itself when boot is not its business', async () => {
    const { api, inspector } = setUp();
    api.portList = [];
    const { status, body } = await inspector.start('rest', NODE, { manageBoot: false });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { message: expect.stringMatching(/no lookup attributes/i) } });
  });

  it('takes the BMC’s address for a node without ports, resolved', async () => {
    const { api, start, inspector, settle, status } = setUp();
    api.portList = [];
    api.driverInfo = { redfish_address: 'https://bmc.example/redfish' };
    await start();
    const inventory = { ...(dataOf('52:54:00:00:00:99')['inventory'] as JsonObject), bmc_address: '192.0.2.50' };
    expect((await inspector.continue('rest', dataOf(MAC, { inventory }))).status).toBe(200);
    await settle();
    expect(await status()).toMatchObject({ state: 'finished' });
    expect(api.calls).toContain('createPort 52:54:00:00:00:99');
  });

  it('is refused while another one is being worked on, and refreshes the row afterwards [2.9]', async () => {
    const { inspector, settle, status, clock } = setUp();
    const [first, second] = await Promise.all([1, 2].map(() => inspector.start('rest', NODE, { manageBoot: true })));
    expect([first?.status, second?.status]).toEqual([202, 400]);
    await settle();
    await clock.advanceBy(5000);
    expect((await inspector.start('rest', NODE, { manageBoot: true })).status).toBe(202);
    await settle();
    expect(await status()).toMatchObject({ state: 'waiting', started_at: '1970-01-01T00:00:05' });
  });

  it('does not reboot again for the same attempt sent twice, but does for the next one', async () => {
    const { api, inspector, settle } = setUp();
    for (const attempt of [7, 7, 8]) {
      expect((await inspector.start('bus', NODE, { manageBoot: true, attempt })).status).toBe(202);
      await settle();
    }
    expect(api.calls.filter((call) => call === 'power rebooting')).toHaveLength(2);
  });
});

describe('an abort', () => {
  it('is accepted, powers off and ends the run; a second one changes nothing', async () => {
    const { api, inspector, start, settle, status } = setUp();
    expect((await inspector.abort('bus', NODE)).status).toBe(404);
    await start();
    expect((await inspector.abort('bus', NODE)).status).toBe(202);
    await settle();
    const after = await status();
    expect(after).toMatchObject({ state: 'error', finished: true, error: 'Canceled by operator' });
    expect(api.calls.at(-1)).toBe('power power off');
    expect((await inspector.abort('bus', NODE)).status).toBe(202);
    await settle();
    expect(await status()).toEqual(after);
    expect((await inspector.continue('rest', dataOf(MAC))).status).toBe(400);
  });

  it('is answered 409 while the node is being worked on', async () => {
    const { api, inspector, status, settle, clock } = setUp();
    api.faults.set('power', [new BareMetalApiError(409, 'locked')]);
    await inspector.start('rest', NODE, { manageBoot: true });
    await settle();
    expect((await inspector.abort('rest', NODE)).status).toBe(409);
    await clock.advanceBy(1000);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });

  it('of a finished run is accepted and changes nothing', async () => {
    const { inspector, start, settle, status } = setUp();
    await start();
    await inspector.continue('rest', dataOf(MAC));
    await settle();
    expect((await inspector.abort('rest', NODE)).status).toBe(202);
    await settle();
    expect(await status()).toMatchObject({ state: 'finished', error: null });
  });

  it('ends the run also when power cannot be switched off', async () => {
    const { api, inspector, start, settle, status, clock } = setUp();
    await start();
    api.faults.set(
      'power',
      Array.from({ length: 5 }, () => new BareMetalApiError(null, 'no answer')),
    );
    await inspector.abort('rest', NODE);
    await settle();
    expect(await status()).toMatchObject({ state: 'aborting', finished: false });
    await clock.advanceBy(4000);
    expect(await status()).toMatchObject({ state: 'error', error: 'Canceled by operator' });
  });
});
