import { faultyStream } from '../../../../test/field-reports/faults';
import { expectSoundEnd } from '../../../../test/field-reports/row';
import { PREFIX, Whole } from '../../../../test/whole';
import { databaseMissing, publishingTroubled, serveReady } from './serve-ready';

it('TMO-12: while the publishing loop fails the timeouts still come and requests are served; the health says which loop it is', async () => {
  const whole = await Whole.start({ settings: { conductor: { inspect_wait_timeout: 5 } } });
  try {
    const api = await whole.api();
    const uuid = await api.waiting();
    let failures = 0;
    const publisher = await whole.publisher((stream) =>
      faultyStream(stream, async () => {
        if (++failures <= 10) throw new TypeError('cannot read properties of undefined');
      }),
    );
    const { log } = whole.stored;
    const logger = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn() };
    const missing = () => databaseMissing(() => log.head());
    const bus = whole.hub.open();
    await serveReady(bus, PREFIX, 'conductor', missing, logger, () =>
      publishingTroubled({ events: publisher, notifications: null }),
    );
    const health = async () => (await api.call('GET', '/ferrolog/v1/ready/conductor')).body as unknown;

    await whole.pass(4_999);
    expect(await health()).toEqual({ ready: true, missing: [], troubled: ['publishing events'] });
    expect(whole.stream.stored()).toEqual([]);
    await whole.pass(1);
    expect(await api.endings(uuid)).toEqual(['InspectionTimedOut']);
    expect((await api.provision(uuid, 'manage')).status).toBe(202);

    await whole.pass(600_000);
    expect(failures).toBeGreaterThan(10);
    expect(await health()).toEqual({ ready: true, missing: [] });
    const positions = whole.stream.stored().map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: await log.head() }, (_, i) => i + 1));
  } finally {
    await expectSoundEnd(whole);
  }
});

it('names each loop that publishes and fails, and none that is switched off', () => {
  const [fails, goesWell] = [{ troubled: () => true }, { troubled: () => false }];
  expect(publishingTroubled({ events: fails, notifications: fails })).toEqual([
    'publishing events',
    'publishing notifications',
  ]);
  expect(publishingTroubled({ events: goesWell, notifications: null })).toEqual([]);
});
