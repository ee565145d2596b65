import { text, bytes, unexpected, codeOf, echo, type Bench } from './bench';

export function groups(bench: Bench): void {
  describe('queue groups and wildcards', () => {
    it('a request goes to one member of the group, and the members share the work', async () => {
      const other = await bench.site.bus();
      const taken = [0, 0];
      const member = (index: 0 | 1) => async (): Promise<Uint8Array> => {
        taken[index]!++;
        return bytes('done');
      };
      await Promise.all([
        bench.server.serve('t.group', 'g', member(0), unexpected),
        other.serve('t.group', 'g', member(1), unexpected),
      ]);
      for (let n = 0; n < 100; n++) await bench.ask('t.group', bytes('x'));
      expect(taken[0]! + taken[1]!).toBe(100);
      expect(Math.min(...taken)).toBeGreaterThan(0);
      await other.close();
    });

    it('when a member stops, the others take all', async () => {
      const other = await bench.site.bus();
      const mine = jest.fn(echo);
      const subscription = await bench.server.serve('t.leave', 'g', mine, unexpected);
      await other.serve('t.leave', 'g', echo, unexpected);
      await subscription.stop();
      mine.mockClear();
      for (let n = 0; n < 20; n++) await bench.ask('t.leave', bytes('x'));
      expect(mine).not.toHaveBeenCalled();
      await other.close();
    });

    it.each([
      ['t.w.*', 't.w.a', 't.w.a.b'],
      ['t.w.>', 't.w.a.b', 't.w'],
      ['t.*.z', 't.w.z', 't.w.y'],
    ])('%s takes %s and not %s', async (pattern, takes, leaves) => {
      await bench.server.serve(pattern, 'g', echo, unexpected);
      expect(text(await bench.ask(takes, bytes('in')))).toBe('in');
      expect(await codeOf(bench.ask(leaves, bytes('x')))).toBe('NO_RESPONDERS');
    });
  });
}
