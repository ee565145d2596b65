import { createHash } from 'node:crypto';
import { BUS_BODY_BYTES_MAX, BusError, type MessageBus } from '@lib/ports';
import { type Broker, patternOf, sameBytes, startBroker } from '@lib/testing';
import { connect, createInbox, type Msg, type NatsConnection } from 'nats';
import { type Frame, readFrame, writeFrame } from './frame';
import { NatsMessageBus, type NatsMessageBusOptions } from './index';

const MIB = 1024 * 1024;
const PART = 512 * 1024;
/** Where silence is the test. Elsewhere the default holds: a busy machine is silent for moments, too. */
const IDLE_MS = 1_000;
const nothing = new Uint8Array(0);
const bytes = (value: string): Uint8Array => Buffer.from(value);

/** What goes wrong between two buses is played by a bare client that speaks the frames itself. */
describe('large bodies over NATS', () => {
  jest.setTimeout(90_000);
  let broker: Broker;
  let raw: NatsConnection;
  let bus: MessageBus;
  const opened: MessageBus[] = [];
  const open = async (options: Partial<NatsMessageBusOptions> = {}): Promise<NatsMessageBus> => {
    const one = await NatsMessageBus.connect({ url: broker.url, name: 'test', ...options });
    opened.push(one);
    return one;
  };

  beforeAll(async () => {
    broker = await startBroker();
    raw = await connect({ servers: broker.url });
  });
  afterAll(async () => {
    await raw.close();
    await broker.stop();
  });
  beforeEach(async () => {
    bus = await open();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  /** Announces a body of `size` bytes to `subject` and answers every pull as `send` says. */
  function announce(
    subject: string,
    size: number,
    send: (upTo: number, to: string) => void,
    patienceMs = 60_000,
  ): Promise<Msg> {
    const inbox = createInbox();
    return new Promise((resolve) => {
      raw.subscribe(inbox, {
        callback: (_, message) => {
          const frame = readFrame(message);
          if (frame.kind === 'pull') send(frame.upTo, message.reply ?? '');
          // A sign of life of a server that is slow to take it.
          else if (frame.kind !== 'alive') resolve(message);
        },
      });
      raw.publish(subject, nothing, {
        reply: inbox,
        headers: writeFrame({ kind: 'open', bytes: size, partBytes: PART, patienceMs }),
      });
    });
  }
  const sendPart = (to: string, index: number, body: Uint8Array, digest: string | null): void =>
    raw.publish(to, body, { headers: writeFrame({ kind: 'part', index, digest }) });
  const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

  /** Serves `t.take`; resolves with what the handler got, or with the error that was reported instead. */
  async function taker(): Promise<{ outcome: Promise<Uint8Array | Error> }> {
    let settle = (_: Uint8Array | Error): void => undefined;
    const outcome = new Promise<Uint8Array | Error>((resolve) => (settle = resolve));
    const handler = async ({ body }: { body: Uint8Array }): Promise<Uint8Array> => (settle(body), bytes('taken'));
    const server = await open({ transferIdleMs: IDLE_MS });
    await server.serve('t.take', 'g', handler, (error) => settle(error as Error));
    return { outcome };
  }

  it('takes a body whose parts come as pulled', async () => {
    const { outcome } = await taker();
    const body = patternOf(2 * MIB + 1, 4);
    let next = 0;
    const reply = await announce('t.take', body.length, (upTo, to) => {
      for (; next < upTo; next++) {
        const digest = next === 4 ? sha256(body) : null;
        sendPart(to, next, body.subarray(next * PART, (next + 1) * PART), digest);
      }
    });
    expect(Buffer.from(reply.data).toString()).toBe('taken');
    expect(sameBytes((await outcome) as Uint8Array, body)).toBe(true);
  });

  const body = patternOf(2 * PART, 4);
  const [one, two] = [body.subarray(0, PART), body.subarray(PART)];
  it.each<[string, (to: string) => void]>([
    ['a part is missing', (to) => sendPart(to, 1, two, sha256(body))],
    ['a part is doubled', (to) => [0, 0, 1].forEach((index) => sendPart(to, index, index === 0 ? one : two, null))],
    ['the last part never comes', (to) => sendPart(to, 0, one, null)],
    ['a part is short', (to) => (sendPart(to, 0, one.subarray(1), null), sendPart(to, 1, two, sha256(body)))],
    ['a bit is wrong', (to) => (sendPart(to, 0, one, null), sendPart(to, 1, patternOf(PART, 5), sha256(body)))],
    ['the digest is missing', (to) => (sendPart(to, 0, one, null), sendPart(to, 1, two, null))],
  ])('never hands a wrong body to the handler: %s', async (_, send) => {
    const { outcome } = await taker();
    void announce('t.take', body.length, (_upTo, to) => send(to));
    expect(await outcome).toEqual(new Error('a large request was lost on its way'));
  });

  it.each([
    ['open 99999999999 512 1000'],
    [`open ${BUS_BODY_BYTES_MAX + 1} 512 1000`],
    ['open 512 0 1000'],
    ['open 1024 1024 1000'],
    ['open'],
    ['part 0'],
    ['nonsense'],
  ])('an announcement that makes no sense is reported, not believed: %s', async (text) => {
    const { outcome } = await taker();
    const headers = writeFrame({ kind: 'pull', upTo: 0 });
    headers.set('Ferrolog-Parts', text);
    raw.publish('t.take', nothing, { reply: createInbox(), headers });
    expect(await outcome).toBeInstanceOf(Error);
  });

  it('a lost part of a reply is the TIMEOUT of the requester, never a wrong body', async () => {
    const inbox = createInbox();
    raw.subscribe(inbox, { callback: (_, message) => sendPart(message.reply ?? '', 1, two, sha256(body)) });
    raw.subscribe('t.bad-reply', {
      queue: 'g',
      callback: (_, message) =>
        message.respond(nothing, { reply: inbox, headers: writeFrame({ ...announcement, bytes: body.length }) }),
    });
    const announcement: Frame & { kind: 'open' } = { kind: 'open', bytes: 0, partBytes: PART, patienceMs: 1_000 };
    await raw.flush();
    const asked = bus.request('t.bad-reply', bytes('x'), { timeoutMs: 60_000 });
    await expect(asked).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('a server that dies in the middle of a large request leaves a TIMEOUT', async () => {
    raw.subscribe('t.dead', {
      queue: 'g',
      callback: (_, message) =>
        message.respond(nothing, { reply: createInbox(), headers: writeFrame({ kind: 'pull', upTo: 1 }) }),
    });
    await raw.flush();
    await expect(bus.request('t.dead', patternOf(MIB), { timeoutMs: 400 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('forgets abandoned transfers, and gives their memory and places to those who wait', async () => {
    // Room for one of the largest bodies: each of these silent senders takes it all until it is forgotten.
    const small = await open({ largeBodyBytesMax: BUS_BODY_BYTES_MAX, transferIdleMs: IDLE_MS });
    const errors: unknown[] = [];
    await small.serve(
      't.room',
      'g',
      async ({ body: taken }) => taken,
      (error) => errors.push(error),
    );
    for (let n = 0; n < 2; n++) void announce('t.room', BUS_BODY_BYTES_MAX, () => undefined);
    await raw.flush();
    const asked = patternOf(8 * MIB, 6);
    expect(sameBytes(await bus.request('t.room', asked, { timeoutMs: 60_000 }), asked)).toBe(true);
    expect(errors).toHaveLength(2);
  });

  it('a large request that waits for room ends with its own patience', async () => {
    const small = await open({ largeBodyBytesMax: BUS_BODY_BYTES_MAX, transferIdleMs: 60_000 });
    await small.serve(
      't.full',
      'g',
      async ({ body: taken }) => taken,
      () => undefined,
    );
    void announce('t.full', BUS_BODY_BYTES_MAX, () => undefined, 2_000);
    await raw.flush();
    await expect(bus.request('t.full', patternOf(MIB), { timeoutMs: 200 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('keeps the memory of a large request until its handler has ended', async () => {
    const small = await open({ largeBodyBytesMax: BUS_BODY_BYTES_MAX });
    let atWork = 0;
    let atWorkMax = 0;
    const handler = async (): Promise<Uint8Array> => {
      atWorkMax = Math.max(atWorkMax, ++atWork);
      await new Promise((resolve) => setTimeout(resolve, 30));
      atWork--;
      return bytes('done');
    };
    await small.serve('t.memory', 'g', handler, fail);
    // Three of these do not fit together.
    const large = patternOf(24 * MIB, 2);
    await Promise.all(Array.from({ length: 4 }, () => bus.request('t.memory', large, { timeoutMs: 60_000 })));
    expect(atWorkMax).toBeGreaterThan(0);
    expect(atWorkMax).toBeLessThanOrEqual(2);
  });

  it('lets small messages pass while a large one is on its way', async () => {
    const server = await open();
    await server.serve('t.pass', 'g', async ({ body: taken }) => taken, fail);
    let largeDone = false;
    const large = bus.request('t.pass', patternOf(64 * MIB, 5), { timeoutMs: 60_000 }).then(() => (largeDone = true));
    let passed = 0;
    while (!largeDone) {
      await bus.request('t.pass', bytes('small'), { timeoutMs: 60_000 });
      if (!largeDone) passed++;
    }
    await large;
    expect(passed).toBeGreaterThan(10);
  });

  it('two groups that serve one subject do not spoil a large request', async () => {
    // The group that comes second is not served, and forgets the request after its silence.
    const servers = await Promise.all([open({ transferIdleMs: IDLE_MS }), open({ transferIdleMs: IDLE_MS })]);
    const got: boolean[] = [];
    const sent = patternOf(3 * MIB, 3);
    for (const [index, server] of servers.entries()) {
      const handler = async ({ body: taken }: { body: Uint8Array }): Promise<Uint8Array> => {
        got.push(sameBytes(taken, sent));
        return bytes('done');
      };
      await server.serve('t.two', `g${index}`, handler, () => undefined);
    }
    expect(Buffer.from(await bus.request('t.two', sent, { timeoutMs: 60_000 })).toString()).toBe('done');
    expect(got).toEqual([true]);
  });

  it('a bus that closes while it receives ends the transfer, and its requester gets a TIMEOUT', async () => {
    const server = await open({ drainMs: 20 });
    await server.serve(
      't.closing',
      'g',
      async ({ body: taken }) => taken,
      () => undefined,
    );
    void announce('t.closing', MIB, () => undefined);
    await raw.flush();
    await server.close();
    await expect(server.request('t.closing', bytes('x'), { timeoutMs: 10 })).rejects.toBeInstanceOf(BusError);
  });

  function fail(error: unknown): never {
    throw error;
  }
});

describe('large bodies over a broker with small messages', () => {
  it('takes the part size from the broker, whatever it is', async () => {
    const broker = await startBroker({ maxPayloadBytes: 5_000 });
    const [client, server] = await Promise.all(
      [1, 2].map((n) => NatsMessageBus.connect({ url: broker.url, name: `test ${n}` })),
    );
    try {
      await server!.serve(
        't.small',
        'g',
        async ({ body }) => body,
        (error) => {
          throw error;
        },
      );
      for (const size of [1, 2_499, 2_500, 2_501, 5_000, 5_001, 1_000_003]) {
        const body = patternOf(size, size);
        const reply = await client!.request('t.small', body, { timeoutMs: 60_000 });
        expect({ size, same: sameBytes(reply, body) }).toEqual({ size, same: true });
      }
      expect(() => client!.hint('t.hint', new Uint8Array(5_001))).toThrow(BusError);
    } finally {
      await Promise.all([client!.close(), server!.close()]);
      await broker.stop();
    }
  });

  it('refuses a broker whose messages hold nothing', async () => {
    const broker = await startBroker({ maxPayloadBytes: 512, jetstream: false });
    try {
      const opening = NatsMessageBus.connect({ url: broker.url, name: 'test' });
      await expect(opening).rejects.toThrow(
        `the broker at ${broker.url} takes messages of 512 bytes only (max_payload)`,
      );
    } finally {
      await broker.stop();
    }
  });
});
