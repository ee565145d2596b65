import { BusError, type BusErrorCode } from '@lib/ports';
import { type Broker, patternOf, sameBytes, startBroker } from '@lib/testing';
import { NatsMessageBus } from './index';

const MIB = 1024 * 1024;
const bytes = (value: string): Uint8Array => Buffer.from(value);

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function codeOf(request: Promise<unknown>): Promise<BusErrorCode | 'answered'> {
  try {
    await request;
    return 'answered';
  } catch (error) {
    if (error instanceof BusError) return error.code;
    throw error;
  }
}

describe('the broker is killed and comes back', () => {
  let broker: Broker;
  let client: NatsMessageBus;
  let server: NatsMessageBus;
  const heard: string[] = [];
  const allConnected = (): boolean => client.connected() && server.connected();
  const noneConnected = (): boolean => !client.connected() && !server.connected();

  beforeAll(async () => {
    broker = await startBroker();
    [client, server] = await Promise.all([
      NatsMessageBus.connect({ url: broker.url, name: 'client', transferIdleMs: 2_000 }),
      NatsMessageBus.connect({ url: broker.url, name: 'server', transferIdleMs: 2_000 }),
    ]);
    await server.serve(
      't.echo',
      'g',
      async ({ body }) => body,
      () => undefined,
    );
    await server.listen('t.hint', ({ body }) => heard.push(Buffer.from(body).toString()));
  });
  afterAll(async () => {
    await Promise.all([client.close(), server.close()]);
    await broker.stop();
  });

  it('requests fail cleanly while it is away, and work again without anybody doing anything', async () => {
    // A broker that is back knows who serves a moment after who is connected.
    const isServed = async () =>
      (await codeOf(client.request('t.echo', bytes('x'), { timeoutMs: 10_000 }))) === 'answered';
    for (let round = 0; round < 3; round++) {
      await until(isServed);
      await broker.kill();
      await until(noneConnected);
      // With a patience of an hour: the answer comes at once, or this test does not end.
      expect(await codeOf(client.request('t.echo', bytes('x'), { timeoutMs: 3_600_000 }))).toBe('UNAVAILABLE');
      expect(await codeOf(client.request('t.echo', patternOf(2 * MIB), { timeoutMs: 3_600_000 }))).toBe('UNAVAILABLE');
      client.hint('t.hint', bytes('lost'));
      await broker.restart();
      await until(allConnected);
    }
    await until(isServed);
    const large = patternOf(5 * MIB, 3);
    expect(sameBytes(await client.request('t.echo', large, { timeoutMs: 10_000 }), large)).toBe(true);
    client.hint('t.hint', bytes('heard'));
    await until(() => heard.length > 0);
    expect(heard).toEqual(['heard']);
  });

  it('killed in the middle of traffic: each request is answered rightly, or fails with a code', async () => {
    const outcomes = new Map<string, number>();
    let stop = false;
    const drive = async (size: number, seed: number): Promise<void> => {
      const body = patternOf(size, seed);
      while (!stop) {
        let wrong = false;
        const code = await codeOf(
          client.request('t.echo', body, { timeoutMs: 300 }).then((reply) => (wrong = !sameBytes(reply, body))),
        );
        const outcome = wrong ? 'wrong body' : code;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    const drivers = [1, 100, 1000, MIB, 3 * MIB, 3 * MIB].map((size, seed) => drive(size, seed + 1));
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    for (let round = 0; round < 3; round++) {
      await pause(300);
      await broker.kill();
      await pause(100);
      await broker.restart();
      await until(allConnected);
    }
    await pause(300);
    stop = true;
    await Promise.all(drivers);
    expect(
      [...outcomes.keys()].filter((code) => !['answered', 'TIMEOUT', 'UNAVAILABLE', 'NO_RESPONDERS'].includes(code)),
    ).toEqual([]);
    expect(outcomes.get('answered')).toBeGreaterThan(10);
    expect(outcomes.get('UNAVAILABLE')).toBeGreaterThan(0);
    expect(await codeOf(client.request('t.echo', patternOf(2 * MIB), { timeoutMs: 10_000 }))).toBe('answered');
  }, 60_000);

  it('can be served anew, stopped and closed while the broker is away', async () => {
    const other = await NatsMessageBus.connect({ url: broker.url, name: 'other' });
    const leaving = await other.serve(
      't.leaving',
      'g',
      async ({ body }) => body,
      () => undefined,
    );
    await broker.kill();
    await until(() => !other.connected());
    await other.serve(
      't.late',
      'g',
      async ({ body }) => body,
      () => undefined,
    );
    await leaving.stop();
    await broker.restart();
    await until(() => other.connected() && client.connected());
    expect(await codeOf(client.request('t.late', bytes('x'), { timeoutMs: 10_000 }))).toBe('answered');
    expect(await codeOf(client.request('t.leaving', bytes('x'), { timeoutMs: 10_000 }))).toBe('NO_RESPONDERS');
    await broker.kill();
    await until(() => !other.connected());
    await other.close();
    expect(await codeOf(other.request('t.late', bytes('x'), { timeoutMs: 10_000 }))).toBe('CLOSED');
    await broker.restart();
    await until(allConnected);
  });
});
