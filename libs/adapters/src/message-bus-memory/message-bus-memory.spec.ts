import { aMessageBus, ManualClock } from '@lib/testing';
import { systemClock } from '../system-clock';
import { MemoryBusHub } from './index';

aMessageBus('in process', async () => {
  const hub = new MemoryBusHub(systemClock);
  return { bus: async () => hub.open(), edgesBytes: [], close: async () => undefined };
});

describe('MemoryBusHub', () => {
  const bytes = (value: string): Uint8Array => Buffer.from(value);

  it('takes its time from the clock that is handed in', async () => {
    const clock = new ManualClock();
    const hub = new MemoryBusHub(clock);
    const [client, server] = [hub.open(), hub.open()];
    await server.serve('t.never', 'g', () => new Promise(() => undefined), fail);
    const asked = client.request('t.never', bytes('x'), { timeoutMs: 60_000 });
    const outcome = expect(asked).rejects.toMatchObject({ code: 'TIMEOUT' });
    await clock.advanceBy(59_999);
    expect(clock.pending()).toBe(1);
    await clock.advanceBy(1);
    await outcome;
    expect(clock.pending()).toBe(0);
  });

  it('plays a broker that is away: UNAVAILABLE, hints lost, replies lost, then all is well again', async () => {
    const clock = new ManualClock();
    const hub = new MemoryBusHub(clock);
    const [client, server] = [hub.open(), hub.open()];
    const heard = jest.fn();
    await server.listen('t.hint', heard);
    await server.serve('t.echo', 'g', async ({ body }) => body, fail);
    const underWay = expect(client.request('t.echo', bytes('x'), { timeoutMs: 10 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
    hub.interrupt();
    expect(client.connected()).toBe(false);
    await expect(client.request('t.echo', bytes('x'), { timeoutMs: 10 })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    client.hint('t.hint', bytes('lost'));
    await clock.advanceBy(10);
    await underWay;
    hub.restore();
    expect(await client.request('t.echo', bytes('x'), { timeoutMs: 10 })).toHaveLength(1);
    expect(heard).not.toHaveBeenCalled();
  });

  it('waits a minute for a handler that does not end, and closes then', async () => {
    const clock = new ManualClock();
    const hub = new MemoryBusHub(clock);
    const [client, server] = [hub.open(), hub.open()];
    await server.serve('t.never', 'g', () => new Promise(() => undefined), fail);
    const asked = expect(client.request('t.never', bytes('x'), { timeoutMs: 90_000 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
    let closed = false;
    const closing = server.close().then(() => (closed = true));
    await clock.advanceBy(59_999);
    expect(closed).toBe(false);
    await clock.advanceBy(1);
    await closing;
    await clock.advanceBy(30_000);
    await asked;
  });

  it('gives members of a group their turns in order, so that a run can be repeated', async () => {
    const hub = new MemoryBusHub(new ManualClock());
    const bus = hub.open();
    const taken: number[] = [];
    for (const member of [0, 1, 2])
      await bus.serve('t.turn', 'g', async ({ body }) => (taken.push(member), body), fail);
    for (let n = 0; n < 6; n++) await bus.request('t.turn', bytes('x'), { timeoutMs: 10 });
    expect(taken).toEqual([0, 1, 2, 0, 1, 2]);
  });

  function fail(error: unknown): never {
    throw error;
  }
});
