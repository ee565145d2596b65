import { BusError, type BusRequest } from '@lib/ports';
import { MIB, text, bytes, unexpected, echo, type Bench } from './bench';

export function hints(bench: Bench): void {
  describe('hints', () => {
    it('reach every listener, and no server', async () => {
      const heard: string[] = [];
      const other = await bench.site.bus();
      let bothHeard = (): void => undefined;
      const both = new Promise<void>((resolve) => (bothHeard = resolve));
      const listener = (who: string) => (hint: BusRequest) => {
        heard.push(`${who}: ${hint.subject} ${text(hint.body)}`);
        if (heard.length === 2) bothHeard();
      };
      const served = jest.fn(echo);
      await bench.server.serve('t.hint.>', 'g', served, unexpected);
      await bench.server.listen('t.hint.*', listener('one'));
      await other.listen('t.>', listener('two'));
      bench.client.hint('t.hint.log', bytes('42'));
      await both;
      expect(heard.sort()).toEqual(['one: t.hint.log 42', 'two: t.hint.log 42']);
      expect(served).not.toHaveBeenCalled();
      await other.close();
    });

    it('are in order, and end with stop', async () => {
      const heard: string[] = [];
      const subscription = await bench.server.listen('t.order', (hint) => heard.push(text(hint.body)));
      await bench.server.serve('t.mark', 'g', echo, unexpected);
      for (let n = 0; n < 100; n++) bench.client.hint('t.order', bytes(`${n}`));
      await bench.ask('t.mark', bytes('x'));
      expect(heard).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
      await subscription.stop();
      bench.client.hint('t.order', bytes('after'));
      await bench.ask('t.mark', bytes('x'));
      expect(heard).toHaveLength(100);
    });

    it('may use the buffer again at once', async () => {
      const heard: string[] = [];
      await bench.server.listen('t.buffer', (hint) => heard.push(text(hint.body)));
      await bench.server.serve('t.mark', 'g', echo, unexpected);
      const buffer = Buffer.from('first');
      bench.client.hint('t.buffer', buffer);
      buffer.write('other');
      await bench.ask('t.mark', bytes('x'));
      expect(heard).toEqual(['first']);
    });

    it('are refused above the limit of one message', () => {
      expect(() => bench.client.hint('t.big', new Uint8Array(2 * MIB))).toThrow(BusError);
    });
  });
}
