import type { JsonObject } from '@lib/domain/introspection';
import { NODE, setUp } from '../../../../test/inspector/world';

describe('a scripted ramdisk’s data', () => {
  const posted = async (body: JsonObject, arrange: (api: ReturnType<typeof setUp>['api']) => void = () => {}) => {
    const world = setUp();
    world.api.extra = { simulator: { script: 'succeed', after: 1, body } };
    arrange(world.api);
    await world.start();
    await world.clock.advanceBy(1000);
    return world;
  };

  it('of nobody’s MACs: nobody is found', async () => {
    const { status, ramdiskLog } = await posted({ macs: 'wrong' });
    expect(ramdiskLog()).toMatchObject([{ status: 400, detail: expect.stringContaining('No node') }]);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });

  it('of nobody’s MACs and its own BMC: found by that alone', async () => {
    const { status, ramdiskLog } = await posted({ macs: 'wrong' }, (api) => {
      api.driverInfo = { ipmi_address: '192.0.2.50' };
    });
    expect(ramdiskLog()).toMatchObject([{ status: 200 }]);
    expect(await status()).toMatchObject({ state: 'finished' });
  });

  it('of its MACs and somebody else’s BMC: the MACs decide', async () => {
    const { status, inspector } = await posted({ bmc_address: '198.51.100.7' });
    expect(await status()).toMatchObject({ state: 'finished' });
    expect((await inspector.data('rest', NODE, 'processed')).body).toMatchObject({ ipmi_address: '198.51.100.7' });
  });

  it('of given MACs', async () => {
    const { ramdiskLog } = await posted({ macs: ['52:54:00:00:00:EE'] });
    expect(ramdiskLog()).toMatchObject([{ status: 400, detail: expect.stringContaining('52:54:00:00:00:ee') }]);
  });

  it('without interfaces: refused', async () => {
    const { status, ramdiskLog } = await posted({ interfaces: 'none' });
    expect(ramdiskLog()).toMatchObject([{ status: 400, detail: expect.stringContaining('no interface') }]);
    expect(await status()).toMatchObject({ state: 'waiting' });
  });

  it('with 20 MiB of logs: taken, and the logs are nowhere', async () => {
    const { inspector, status } = await posted({ logs: 20 });
    expect(await status()).toMatchObject({ state: 'finished' });
    expect((await inspector.data('rest', NODE, 'unprocessed')).body).not.toHaveProperty('logs');
  });

  it('that takes its time comes when it is whole', async () => {
    const { clock, status } = await posted({ over: 30 });
    await clock.advanceBy(29_999);
    expect(await status()).toMatchObject({ state: 'waiting' });
    await clock.advanceBy(1);
    expect(await status()).toMatchObject({ state: 'finished' });
  });
});
