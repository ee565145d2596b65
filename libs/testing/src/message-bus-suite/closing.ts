import type { BusRequest } from '@lib/ports';
import { patternOf, sameBytes } from './bodies';
import { MIB, PATIENCE_MS, bytes, unexpected, codeOf, echo, type Bench } from './bench';

export function closing(bench: Bench): void {
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
      const subscription = await bench.server.serve('t.stop', 'g', handler, unexpected);
      const reply = bench.ask('t.stop', patternOf(2 * MIB, 2));
      await underWay;
      let stopped = false;
      const stopping = subscription.stop().then(() => (stopped = true));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(stopped).toBe(false);
      expect(await codeOf(bench.ask('t.stop', bytes('late')))).toBe('NO_RESPONDERS');
      release();
      expect(sameBytes(await reply, patternOf(2 * MIB, 2))).toBe(true);
      await stopping;
      await subscription.stop();
    });

    it('close lets a running handler send its own request and answer, large replies included', async () => {
      await bench.client.serve('t.aid', 'g', async () => bytes('aid'), unexpected);
      let started = (): void => undefined;
      const underWay = new Promise<void>((resolve) => (started = resolve));
      const reply = patternOf(3 * MIB, 9);
      const handler = async (): Promise<Uint8Array> => {
        started();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await bench.server.request('t.aid', bytes('x'), { timeoutMs: PATIENCE_MS });
        return reply;
      };
      await bench.server.serve('t.close', 'g', handler, unexpected);
      const asked = bench.ask('t.close', bytes('x'));
      await underWay;
      await bench.server.close();
      expect(sameBytes(await asked, reply)).toBe(true);
    });

    it('a closed bus says CLOSED, also to those who wait for a reply', async () => {
      await bench.server.serve(
        't.never',
        'g',
        () => new Promise((resolve) => setTimeout(() => resolve(bytes('x')), 300)),
        unexpected,
      );
      const waiting = codeOf(bench.ask('t.never', bytes('x')));
      await bench.client.close();
      expect(await waiting).toBe('CLOSED');
      expect(await codeOf(bench.ask('t.never', bytes('x')))).toBe('CLOSED');
      expect(await codeOf(bench.client.serve('t.x', 'g', echo, unexpected))).toBe('CLOSED');
      expect(await codeOf(bench.client.listen('t.x', () => undefined))).toBe('CLOSED');
      expect(bench.client.connected()).toBe(false);
      bench.client.hint('t.x', bytes('x'));
      await bench.client.close();
    });
  });
}
