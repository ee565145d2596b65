import { BUS_BODY_BYTES_MAX, type BusRequest } from '@lib/ports';
import { patternOf, sameBytes } from './bodies';
import { KIB, MIB, LARGE_TEST_MS, text, bytes, unexpected, codeOf, echo, type Bench } from './bench';

export function requests(bench: Bench): void {
  describe('requests and replies', () => {
    it('reach the server with their subject, and bring its reply', async () => {
      await bench.server.serve(
        't.echo.*',
        'g',
        async ({ subject, body }) => bytes(`${subject} got ${text(body)}`),
        unexpected,
      );
      expect(text(await bench.ask('t.echo.a', bytes('hello')))).toBe('t.echo.a got hello');
      expect(bench.client.connected()).toBe(true);
    });

    it('work on one and the same bus', async () => {
      await bench.client.serve('t.self', 'g', echo, unexpected);
      expect(text(await bench.ask('t.self', bytes('to myself')))).toBe('to myself');
    });

    it('take an empty body', async () => {
      await bench.server.serve('t.empty', 'g', echo, unexpected);
      expect(await bench.ask('t.empty', new Uint8Array(0))).toHaveLength(0);
    });

    it('pass bodies around every edge unaltered, both ways', async () => {
      await bench.server.serve('t.edges', 'g', echo, unexpected);
      const sizes = new Set([1, KIB, MIB, ...bench.site.edgesBytes.flatMap((edge) => [edge - 1, edge, edge + 1])]);
      for (const size of sizes) {
        const body = patternOf(size, size);
        const reply = await bench.ask('t.edges', body);
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
        await bench.server.serve(
          't.large',
          'g',
          async (request) => ((arrived = sameBytes(request.body, body)), answer),
          unexpected,
        );
        const reply = await bench.ask('t.large', body, LARGE_TEST_MS);
        expect(arrived).toBe(true);
        expect(sameBytes(reply, answer)).toBe(true);
      },
      LARGE_TEST_MS,
    );

    it('refuse a body above the limit, and nothing is sent', async () => {
      const handled = jest.fn(echo);
      await bench.server.serve('t.too-large', 'g', handled, unexpected);
      expect(await codeOf(bench.ask('t.too-large', new Uint8Array(BUS_BODY_BYTES_MAX + 1)))).toBe('TOO_LARGE');
      expect(handled).not.toHaveBeenCalled();
    });

    it('report a reply above the limit to the server, and leave the requester without one', async () => {
      const errors: unknown[] = [];
      const tooLarge = async (): Promise<Uint8Array> => new Uint8Array(BUS_BODY_BYTES_MAX + 1);
      await bench.server.serve('t.too-large', 'g', tooLarge, (error) => errors.push(error));
      expect(await codeOf(bench.ask('t.too-large', bytes('x'), 300))).toBe('TIMEOUT');
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
      await bench.server.serve('t.scribble', 'g', scribble, unexpected);
      const reply = await bench.ask('t.scribble', kept);
      expect(sameBytes(kept, before)).toBe(true);
      expect(sameBytes(reply, before)).toBe(true);
      await bench.server.serve('t.kept', 'g', async () => kept, unexpected);
      (await bench.ask('t.kept', bytes('x'))).fill(0);
      expect(sameBytes(kept, before)).toBe(true);
    });

    it('run side by side: a slow one does not hold up the others', async () => {
      let release = (): void => undefined;
      const slow = new Promise<void>((resolve) => (release = resolve));
      const handler = async ({ body }: BusRequest): Promise<Uint8Array> => {
        if (text(body) === 'slow') await slow;
        return body;
      };
      await bench.server.serve('t.slow', 'g', handler, unexpected);
      const first = bench.ask('t.slow', bytes('slow'));
      expect(text(await bench.ask('t.slow', bytes('fast')))).toBe('fast');
      release();
      expect(text(await first)).toBe('slow');
    });

    it('find the right requester among 2,000 at once', async () => {
      await bench.server.serve('t.many', 'g', echo, unexpected);
      const asked = Array.from({ length: 2_000 }, (_, n) => `question ${n}`);
      const replies = await Promise.all(asked.map((question) => bench.ask('t.many', bytes(question))));
      expect(replies.map(text)).toEqual(asked);
    });

    it(
      'pass 50 large ones at once, with small ones between them',
      async () => {
        await bench.server.serve('t.crowd', 'g', echo, unexpected);
        const bodies = Array.from({ length: 50 }, (_, n) => patternOf(MIB + n, n + 1));
        const large = bodies.map(async (body) => sameBytes(await bench.ask('t.crowd', body), body));
        const small = Array.from(
          { length: 50 },
          async (_, n) => text(await bench.ask('t.crowd', bytes(`${n}`))) === `${n}`,
        );
        expect((await Promise.all([...large, ...small])).filter((same) => !same)).toEqual([]);
      },
      LARGE_TEST_MS,
    );
  });
}
