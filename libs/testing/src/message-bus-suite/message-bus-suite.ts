import { BUS_BODY_BYTES_MAX, BusError, type BusErrorCode, type BusRequest, type MessageBus } from '@lib/ports';
import { patternOf, sameBytes } from './bodies';

/** Where buses meet: a broker, or a hub in this process. */
export interface BusSite {
  /** A new bus on the same site. */
  bus(): Promise<MessageBus>;
  /** Sizes around which the adapter changes its way of sending. */
  readonly edgesBytes: readonly number[];
  close(): Promise<void>;
}

const KIB = 1024;
const MIB = 1024 * 1024;
const PATIENCE_MS = 30_000;
const LARGE_TEST_MS = 120_000;
const text = (body: Uint8Array): string => Buffer.from(body).toString();
const bytes = (value: string): Uint8Array => Buffer.from(value);
const unexpected = (error: unknown): void => {
  throw error;
};

async function codeOf(request: Promise<unknown>): Promise<BusErrorCode | 'answered' | 'other'> {
  try {
    await request;
    return 'answered';
  } catch (error) {
    return error instanceof BusError ? error.code : 'other';
  }
}

/** The contract of the bus; every adapter runs it. */
export function aMessageBus(name: string, openSite: () => Promise<BusSite>): void {
  describe(`message bus: ${name}`, () => {
    let site: BusSite;
    let client: MessageBus;
    let server: MessageBus;
    const ask = (subject: string, body: Uint8Array, timeoutMs = PATIENCE_MS): Promise<Uint8Array> =>
      client.request(subject, body, { timeoutMs });
    const echo = async (request: BusRequest): Promise<Uint8Array> => request.body;

    beforeAll(async () => {
      site = await openSite();
    });
    afterAll(() => site.close());
    beforeEach(async () => {
      [client, server] = await Promise.all([site.bus(), site.bus()]);
    });
    afterEach(async () => {
      await Promise.all([client.close(), server.close()]);
    });

    describe('requests and replies', () => {
      it('reach the server with their subject, and bring its reply', async () => {
        await server.serve(
          't.echo.*',
          'g',
          async ({ subject, body }) => bytes(`${subject} got ${text(body)}`),
          unexpected,
        );
        expect(text(await ask('t.echo.a', bytes('hello')))).toBe('t.echo.a got hello');
        expect(client.connected()).toBe(true);
      });

      it('work on one and the same bus', async () => {
        await client.serve('t.self', 'g', echo, unexpected);
        expect(text(await ask('t.self', bytes('to myself')))).toBe('to myself');
      });

      it('take an empty body', async () => {
        await server.serve('t.empty', 'g', echo, unexpected);
        expect(await ask('t.empty', new Uint8Array(0))).toHaveLength(0);
      });

      it('pass bodies around every edge unaltered, both ways', async () => {
        await server.serve('t.edges', 'g', echo, unexpected);
        const sizes = new Set([1, KIB, MIB, ...site.edgesBytes.flatMap((edge) => [edge - 1, edge, edge + 1])]);
        for (const size of sizes) {
          const body = patternOf(size, size);
          const reply = await ask('t.edges', body);
          expect({ size, same: sameBytes(reply, body) }).toEqual({ size, same: true });
        }
      });

      it.each([
        ['16 MiB', 16 * MIB],
        ['64 MiB', 64 * MIB],
        ['the largest body', BUS_BODY_BYTES_MAX],
      ])(
        'pass %s both ways',
        async (_, size) => {
          const body = patternOf(size, 7);
          const answer = patternOf(size, 8);
          let arrived = false;
          await server.serve(
            't.large',
            'g',
            async (request) => ((arrived = sameBytes(request.body, body)), answer),
            unexpected,
          );
          const reply = await ask('t.large', body, LARGE_TEST_MS);
          expect(arrived).toBe(true);
          expect(sameBytes(reply, answer)).toBe(true);
        },
        LARGE_TEST_MS,
      );

      it('refuse a body above the limit, and nothing is sent', async () => {
        const handled = jest.fn(echo);
        await server.serve('t.too-large', 'g', handled, unexpected);
        expect(await codeOf(ask('t.too-large', new Uint8Array(BUS_BODY_BYTES_MAX + 1)))).toBe('TOO_LARGE');
        expect(handled).not.toHaveBeenCalled();
      });

      it('report a reply above the limit to the server, and leave the requester without one', async () => {
        const errors: unknown[] = [];
        const tooLarge = async (): Promise<Uint8Array> => new Uint8Array(BUS_BODY_BYTES_MAX + 1);
        await server.serve('t.too-large', 'g', tooLarge, (error) => errors.push(error));
        expect(await codeOf(ask('t.too-large', bytes('x'), 300))).toBe('TIMEOUT');
        expect(errors).toEqual([expect.objectContaining({ code: 'TOO_LARGE' })]);
      });

      it('share no memory between the two sides', async () => {
        const kept = patternOf(64, 3);
        const before = Buffer.from(kept);
        const scribble = async ({ body }: BusRequest): Promise<Uint8Array> => {
          const reply = Buffer.from(body);
          body.fill(0);
          return reply;
        };
        await server.serve('t.scribble', 'g', scribble, unexpected);
        const reply = await ask('t.scribble', kept);
        expect(sameBytes(kept, before)).toBe(true);
        expect(sameBytes(reply, before)).toBe(true);
        await server.serve('t.kept', 'g', async () => kept, unexpected);
        (await ask('t.kept', bytes('x'))).fill(0);
        expect(sameBytes(kept, before)).toBe(true);
      });

      it('run side by side: a slow one does not hold up the others', async () => {
        let release = (): void => undefined;
        const slow = new Promise<void>((resolve) => (release = resolve));
        const handler = async ({ body }: BusRequest): Promise<Uint8Array> => {
          if (text(body) === 'slow') await slow;
          return body;
        };
        await server.serve('t.slow', 'g', handler, unexpected);
        const first = ask('t.slow', bytes('slow'));
        expect(text(await ask('t.slow', bytes('fast')))).toBe('fast');
        release();
        expect(text(await first)).toBe('slow');
      });

      it('find the right requester among 2,000 at once', async () => {
        await server.serve('t.many', 'g', echo, unexpected);
        const asked = Array.from({ length: 2_000 }, (_, n) => `question ${n}`);
        const replies = await Promise.all(asked.map((question) => ask('t.many', bytes(question))));
        expect(replies.map(text)).toEqual(asked);
      });

      it(
        'pass 50 large ones at once, with small ones between them',
        async () => {
          await server.serve('t.crowd', 'g', echo, unexpected);
          const bodies = Array.from({ length: 50 }, (_, n) => patternOf(MIB + n, n + 1));
          const large = bodies.map(async (body) => sameBytes(await ask('t.crowd', body), body));
          const small = Array.from(
            { length: 50 },
            async (_, n) => text(await ask('t.crowd', bytes(`${n}`))) === `${n}`,
          );
          expect((await Promise.all([...large, ...small])).filter((same) => !same)).toEqual([]);
        },
        LARGE_TEST_MS,
      );
    });

    describe('failures', () => {
      it('NO_RESPONDERS at once when nobody serves the subject, small or large', async () => {
        await server.serve('t.somebody.else', 'g', echo, unexpected);
        expect(await codeOf(ask('t.nobody', bytes('x'), 3_600_000))).toBe('NO_RESPONDERS');
        expect(await codeOf(ask('t.nobody', patternOf(2 * MIB), 3_600_000))).toBe('NO_RESPONDERS');
      });

      it('TIMEOUT when the handler gives no reply in time', async () => {
        await server.serve(
          't.late',
          'g',
          () => new Promise((resolve) => setTimeout(() => resolve(bytes('late')), 200)),
          unexpected,
        );
        expect(await codeOf(ask('t.late', bytes('x'), 20))).toBe('TIMEOUT');
      });

      it('TIMEOUT when the handler throws, and the server hears of the error with its subject', async () => {
        const errors: [unknown, string][] = [];
        const broken = async (): Promise<Uint8Array> => {
          throw new Error('broken handler');
        };
        await server.serve('t.broken.*', 'g', broken, (error, subject) => errors.push([error, subject]));
        expect(await codeOf(ask('t.broken.a', bytes('x'), 200))).toBe('TIMEOUT');
        expect(errors).toEqual([[new Error('broken handler'), 't.broken.a']]);
      });

      it('leave the server at work: the next request is answered', async () => {
        const moody = async ({ body }: BusRequest): Promise<Uint8Array> => {
          if (text(body) === 'fail') throw new Error('once');
          return body;
        };
        await server.serve('t.moody', 'g', moody, () => undefined);
        expect(await codeOf(ask('t.moody', bytes('fail'), 50))).toBe('TIMEOUT');
        expect(text(await ask('t.moody', bytes('well')))).toBe('well');
      });

      it('a subject that is none is a bug', async () => {
        await expect(ask('t.with space', bytes('x'))).rejects.toThrow(TypeError);
        await expect(ask('t.*', bytes('x'))).rejects.toThrow(TypeError);
        await expect(server.serve('t.>.x', 'g', echo, unexpected)).rejects.toThrow(TypeError);
      });
    });

    describe('queue groups and wildcards', () => {
      it('a request goes to one member of the group, and the members share the work', async () => {
        const other = await site.bus();
        const taken = [0, 0];
        const member = (index: 0 | 1) => async (): Promise<Uint8Array> => {
          taken[index]!++;
          return bytes('done');
        };
        await Promise.all([
          server.serve('t.group', 'g', member(0), unexpected),
          other.serve('t.group', 'g', member(1), unexpected),
        ]);
        for (let n = 0; n < 100; n++) await ask('t.group', bytes('x'));
        expect(taken[0]! + taken[1]!).toBe(100);
        expect(Math.min(...taken)).toBeGreaterThan(0);
        await other.close();
      });

      it('when a member stops, the others take all', async () => {
        const other = await site.bus();
        const mine = jest.fn(echo);
        const subscription = await server.serve('t.leave', 'g', mine, unexpected);
        await other.serve('t.leave', 'g', echo, unexpected);
        await subscription.stop();
        mine.mockClear();
        for (let n = 0; n < 20; n++) await ask('t.leave', bytes('x'));
        expect(mine).not.toHaveBeenCalled();
        await other.close();
      });

      it.each([
        ['t.w.*', 't.w.a', 't.w.a.b'],
        ['t.w.>', 't.w.a.b', 't.w'],
        ['t.*.z', 't.w.z', 't.w.y'],
      ])('%s takes %s and not %s', async (pattern, takes, leaves) => {
        await server.serve(pattern, 'g', echo, unexpected);
        expect(text(await ask(takes, bytes('in')))).toBe('in');
        expect(await codeOf(ask(leaves, bytes('x')))).toBe('NO_RESPONDERS');
      });
    });

    describe('stop and close', () => {
      it('stop lets the handlers under way answer, and takes nothing more', async () => {
        let release = (): void => undefined;
        let started = (): void => undefined;
        const underWay = new Promise<void>((resolve) => (started = resolve));
        const held = new Promise<void>((resolve) => (release = resolve));
        const handler = async (request: BusRequest): Promise<Uint8Array> => {
          started();
          await held;
          return request.body;
        };
        const subscription = await server.serve('t.stop', 'g', handler, unexpected);
        const reply = ask('t.stop', patternOf(2 * MIB, 2));
        await underWay;
        let stopped = false;
        const stopping = subscription.stop().then(() => (stopped = true));
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(stopped).toBe(false);
        expect(await codeOf(ask('t.stop', bytes('late')))).toBe('NO_RESPONDERS');
        release();
        expect(sameBytes(await reply, patternOf(2 * MIB, 2))).toBe(true);
        await stopping;
        await subscription.stop();
      });

      it('close lets a running handler send its own request and answer, large replies included', async () => {
        await client.serve('t.aid', 'g', async () => bytes('aid'), unexpected);
        let started = (): void => undefined;
        const underWay = new Promise<void>((resolve) => (started = resolve));
        const reply = patternOf(3 * MIB, 9);
        const handler = async (): Promise<Uint8Array> => {
          started();
          await new Promise((resolve) => setTimeout(resolve, 50));
          await server.request('t.aid', bytes('x'), { timeoutMs: PATIENCE_MS });
          return reply;
        };
        await server.serve('t.close', 'g', handler, unexpected);
        const asked = ask('t.close', bytes('x'));
        await underWay;
        await server.close();
        expect(sameBytes(await asked, reply)).toBe(true);
      });

      it('a closed bus says CLOSED, also to those who wait for a reply', async () => {
        await server.serve(
          't.never',
          'g',
          () => new Promise((resolve) => setTimeout(() => resolve(bytes('x')), 300)),
          unexpected,
        );
        const waiting = codeOf(ask('t.never', bytes('x')));
        await client.close();
        expect(await waiting).toBe('CLOSED');
        expect(await codeOf(ask('t.never', bytes('x')))).toBe('CLOSED');
        expect(await codeOf(client.serve('t.x', 'g', echo, unexpected))).toBe('CLOSED');
        expect(await codeOf(client.listen('t.x', () => undefined))).toBe('CLOSED');
        expect(client.connected()).toBe(false);
        client.hint('t.x', bytes('x'));
        await client.close();
      });
    });

    describe('hints', () => {
      it('reach every listener, and no server', async () => {
        const heard: string[] = [];
        const other = await site.bus();
        let bothHeard = (): void => undefined;
        const both = new Promise<void>((resolve) => (bothHeard = resolve));
        const listener = (who: string) => (hint: BusRequest) => {
          heard.push(`${who}: ${hint.subject} ${text(hint.body)}`);
          if (heard.length === 2) bothHeard();
        };
        const served = jest.fn(echo);
        await server.serve('t.hint.>', 'g', served, unexpected);
        await server.listen('t.hint.*', listener('one'));
        await other.listen('t.>', listener('two'));
        client.hint('t.hint.log', bytes('42'));
        await both;
        expect(heard.sort()).toEqual(['one: t.hint.log 42', 'two: t.hint.log 42']);
        expect(served).not.toHaveBeenCalled();
        await other.close();
      });

      it('are in order, and end with stop', async () => {
        const heard: string[] = [];
        const subscription = await server.listen('t.order', (hint) => heard.push(text(hint.body)));
        await server.serve('t.mark', 'g', echo, unexpected);
        for (let n = 0; n < 100; n++) client.hint('t.order', bytes(`${n}`));
        await ask('t.mark', bytes('x'));
        expect(heard).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
        await subscription.stop();
        client.hint('t.order', bytes('after'));
        await ask('t.mark', bytes('x'));
        expect(heard).toHaveLength(100);
      });

      it('may use the buffer again at once', async () => {
        const heard: string[] = [];
        await server.listen('t.buffer', (hint) => heard.push(text(hint.body)));
        await server.serve('t.mark', 'g', echo, unexpected);
        const buffer = Buffer.from('first');
        client.hint('t.buffer', buffer);
        buffer.write('other');
        await ask('t.mark', bytes('x'));
        expect(heard).toEqual(['first']);
      });

      it('are refused above the limit of one message', () => {
        expect(() => client.hint('t.big', new Uint8Array(2 * MIB))).toThrow(BusError);
      });
    });
  });
}
