import { BusError } from '@lib/ports';
import { type Broker, ManualClock, startBroker } from '@lib/testing';
import { connect, type NatsConnection } from 'nats';
import { NatsMessageBus } from './index';
import { SignsOfLife, Silence } from './signs-of-life';

const HOUR_MS = 3_600_000;
const bytes = (value: string): Uint8Array => Buffer.from(value);

describe('a request to somebody who took it', () => {
  let broker: Broker;
  let client: NatsMessageBus;
  let server: NatsMessageBus;
  let clock: ManualClock;
  let serverClock: ManualClock;
  let stranger: NatsConnection;
  let release = (): void => undefined;

  beforeAll(async () => {
    broker = await startBroker();
  });
  afterAll(() => broker.stop());
  beforeEach(async () => {
    [clock, serverClock] = [new ManualClock(), new ManualClock()];
    const options = { url: broker.url, aliveMs: 1_000, silenceMs: 5_000 };
    [client, server, stranger] = await Promise.all([
      NatsMessageBus.connect({ ...options, name: 'client', clock }),
      NatsMessageBus.connect({ ...options, name: 'server', clock: serverClock }),
      connect({ servers: broker.url }),
    ]);
  });
  afterEach(async () => {
    // A handler that still waits would keep the server from closing.
    release();
    await Promise.all([client.close(), server.close(), stranger.close()]);
  });

  /** What the server sent before has arrived when this is answered. */
  const passed = async (): Promise<void> => {
    await client.request('t.mark', bytes('x'), { timeoutMs: HOUR_MS });
  };

  it.each([
    ['small', 1],
    ['large', 2 * 1024 * 1024],
  ])('is waited for as long as they work on it: %s', async (_, size) => {
    const held = new Promise<void>((resolve) => (release = resolve));
    let started = (): void => undefined;
    const underWay = new Promise<void>((resolve) => (started = resolve));
    const slow = async (): Promise<Uint8Array> => {
      started();
      await held;
      return bytes('done');
    };
    await server.serve('t.slow', 'g', slow, () => undefined);
    await server.serve(
      't.mark',
      'g',
      async ({ body }) => body,
      () => undefined,
    );
    const asked = client.request('t.slow', new Uint8Array(size), { timeoutMs: HOUR_MS });
    await underWay;
    for (let second = 0; second < 20; second += 1) {
      await serverClock.advanceBy(1_000);
      await passed();
      await clock.advanceBy(1_000);
    }
    release();
    expect(Buffer.from(await asked).toString()).toBe('done');
  });

  it('is given up soon after they fell silent, however long it might have been waited for', async () => {
    const taken = new Promise<void>((resolve) => stranger.subscribe('t.gone', { callback: () => resolve() }));
    await stranger.flush();
    const asked = client.request('t.gone', bytes('x'), { timeoutMs: HOUR_MS });
    const settled = jest.fn();
    asked.catch(settled);
    await taken;
    await clock.advanceBy(4_999);
    expect(settled).not.toHaveBeenCalled();
    await clock.advanceBy(1);
    await expect(asked).rejects.toEqual(expect.objectContaining({ code: 'TIMEOUT' }));
    await expect(asked).rejects.toThrow(BusError);
    await expect(asked).rejects.toThrow(/silent for 5000 ms/);
  });

  it('is given up when its handler broke, which ends the signs', async () => {
    const broken = new Promise<void>((resolve) => {
      void server.serve(
        't.broken',
        'g',
        () => Promise.reject(new Error('broken')),
        () => resolve(),
      );
    });
    await server.serve(
      't.mark',
      'g',
      async ({ body }) => body,
      () => undefined,
    );
    const asked = client.request('t.broken', bytes('x'), { timeoutMs: HOUR_MS });
    asked.catch(() => undefined);
    await broken;
    for (let second = 0; second < 5; second += 1) {
      await serverClock.advanceBy(1_000);
      await passed();
      await clock.advanceBy(1_000);
    }
    await expect(asked).rejects.toThrow(/silent/);
  });
});

describe('signs of life', () => {
  it('go to those who wait when a period ends, and cost nothing while nobody does', async () => {
    const clock = new ManualClock();
    const told: string[] = [];
    const signs = new SignsOfLife(clock, 1_000, (address) => told.push(address));
    signs.begin('quick');
    signs.begin('slow');
    await clock.advanceBy(500);
    signs.end('quick');
    await clock.advanceBy(500);
    expect(told).toEqual(['slow']);
    await clock.advanceBy(1_000);
    expect(told).toEqual(['slow', 'slow']);
    signs.end('slow');
    await clock.advanceBy(10_000);
    expect(told).toHaveLength(2);
    signs.begin('later');
    await clock.advanceBy(1_000);
    expect(told.at(-1)).toBe('later');
    signs.end('later');
  });
});

describe('silence', () => {
  it('ends the wait once, and not when somebody is heard within the limit', async () => {
    const clock = new ManualClock();
    const onSilent = jest.fn();
    const silence = new Silence(clock, 1_000, onSilent);
    await clock.advanceBy(900);
    silence.broken();
    await clock.advanceBy(900);
    expect(onSilent).not.toHaveBeenCalled();
    await clock.advanceBy(100);
    expect(onSilent).toHaveBeenCalledTimes(1);
  });

  it('is not heard any more after the end', async () => {
    const clock = new ManualClock();
    const onSilent = jest.fn();
    const silence = new Silence(clock, 1_000, onSilent);
    silence.end();
    silence.broken();
    await clock.advanceBy(10_000);
    expect(onSilent).not.toHaveBeenCalled();
  });
});
