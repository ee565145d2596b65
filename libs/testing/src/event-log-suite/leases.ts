import type { Change } from '@lib/ports';
import { appending, won } from './appending';
import { benchEachTest, type OpenLog } from './log-under-test';

const effect = (stream: string, n: number, status: 'open' | 'closed' = 'open', json = `{"n":${n}}`): Change => ({
  change: 'effect',
  stream,
  n,
  attempt: 1,
  status,
  json,
});

const deadline = (stream: string, n: number, due: number, status: 'open' | 'held' | 'closed' = 'open'): Change => ({
  change: 'deadline',
  stream,
  n,
  attempt: n,
  due,
  status,
});

export function leases(open: OpenLog): void {
  const bench = benchEachTestOf(open);

  describe('effects', () => {
    const { change, claim } = bench();

    it('are claimed one per stream, in their order, oldest stream first', async () => {
      await change(effect('node/2', 2), effect('node/1', 7), effect('node/2', 1), effect('node/1', 8));
      expect(await claim('w', 0, 10, 9)).toEqual([
        { stream: 'node/1', n: 7, attempt: 1, json: '{"n":7}', claim: 1 },
        { stream: 'node/2', n: 1, attempt: 1, json: '{"n":1}', claim: 1 },
      ]);
      expect(await claim('w', 5, 10, 9)).toEqual([]);
    });

    it('respect the limit', async () => {
      await change(effect('node/1', 1), effect('node/2', 1), effect('node/3', 1));
      expect((await claim('w', 0, 10, 2)).map(({ stream }) => stream)).toEqual(['node/1', 'node/2']);
      expect((await claim('w', 0, 10, 2)).map(({ stream }) => stream)).toEqual(['node/3']);
    });

    it('go to the next one only when the first is closed', async () => {
      await change(effect('node/1', 1), effect('node/1', 2));
      await claim('w', 0, 10, 9);
      await change(effect('node/1', 1, 'closed'));
      expect(await claim('w', 0, 10, 9)).toMatchObject([{ n: 2, claim: 1 }]);
      await change(effect('node/1', 2, 'closed'));
      expect(await claim('w', 100, 10, 9)).toEqual([]);
    });

    it('are claimed again, under a higher number, when the lease has ended', async () => {
      await change(effect('node/1', 1));
      await claim('first', 0, 10, 9);
      expect(await claim('second', 9, 10, 9)).toEqual([]);
      expect(await claim('second', 10, 10, 9)).toMatchObject([{ claim: 2 }]);
    });

    it('are renewed only under the claim that stands', async () => {
      const { leases } = bench.current();
      await change(effect('node/1', 1));
      await claim('first', 0, 10, 9);
      expect(await leases.renew({ stream: 'node/1', n: 1, claim: 1 }, 'first', 50)).toBe(true);
      expect(await leases.renew({ stream: 'node/1', n: 1, claim: 1 }, 'second', 50)).toBe(false);
      expect(await claim('second', 49, 10, 9)).toEqual([]);
      expect(await claim('second', 50, 10, 9)).toMatchObject([{ claim: 2 }]);
      expect(await leases.renew({ stream: 'node/1', n: 1, claim: 1 }, 'first', 90)).toBe(false);
      await change(effect('node/1', 1, 'closed'));
      expect(await leases.renew({ stream: 'node/1', n: 1, claim: 2 }, 'second', 90)).toBe(false);
    });

    it('are renewed by hundreds at once, each by its own claim', async () => {
      const { leases } = bench.current();
      const names = Array.from({ length: 250 }, (_, i) => `node/${i}`);
      await change(...names.map((name) => effect(name, 1)));
      await claim('first', 0, 10, 100);
      await claim('second', 0, 10, 100);
      await claim('third', 0, 10, 100);
      const renewed = await Promise.all(names.map((stream) => leases.renew({ stream, n: 1, claim: 1 }, 'second', 90)));
      expect(renewed.filter(Boolean)).toHaveLength(100);
      const lost = (await claim('fourth', 50, 10, 250)).map(({ stream }) => stream);
      expect(new Set(lost)).toEqual(new Set(names.filter((_, i) => renewed[i] === false)));
    });

    it('are given up by a worker that stops', async () => {
      await change(effect('node/1', 1), effect('node/2', 1));
      await claim('first', 0, 1_000, 1);
      await claim('second', 0, 1_000, 1);
      await bench.current().leases.release('first');
      expect(await claim('third', 1, 10, 9)).toMatchObject([{ stream: 'node/1', claim: 2 }]);
    });

    it('are taken from everybody by the only writer', async () => {
      await change(effect('node/1', 1), effect('node/2', 1), effect('node/3', 1));
      await claim('first', 0, 1_000, 1);
      await claim('second', 0, 1_000, 1);
      await bench.current().leases.release(null);
      expect(await claim('third', 1, 10, 9)).toMatchObject([{ claim: 2 }, { claim: 2 }, { claim: 1 }]);
    });

    it('are claimed once by workers that ask at the same time', async () => {
      await change(...Array.from({ length: 40 }, (_, i) => effect(`node/${i}`, 1)));
      const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(`w${i}`, 0, 10, 10)));
      const streams = claims.flat().map(({ stream }) => stream);
      expect(streams).toHaveLength(40);
      expect(new Set(streams).size).toBe(40);
    });

    it('keep their claim when an append rewrites them, and over a restart', async () => {
      await change(effect('node/1', 1));
      await claim('first', 0, 10, 9);
      await change(effect('node/1', 1, 'open', '{"changed":true}'));
      await bench.reopen();
      expect(await claim('second', 5, 10, 9)).toEqual([]);
      expect(await claim('second', 10, 10, 9)).toMatchObject([{ claim: 2, json: '{"changed":true}' }]);
    });
  });

  describe('deadlines', () => {
    const { change } = bench();
    const due = async (until: number, limit = 9) =>
      (await bench.current().readModel.deadlines(until, limit)).map(({ stream, n }) => [stream, n]);

    it('come in due order, those due already, at most the limit', async () => {
      await change(deadline('node/1', 1, 300), deadline('node/2', 1, 100), deadline('node/3', 4, 200));
      expect(await bench.current().readModel.deadlines(200, 9)).toEqual([
        { stream: 'node/2', n: 1, attempt: 1, due: 100 },
        { stream: 'node/3', n: 4, attempt: 4, due: 200 },
      ]);
      expect(await due(99)).toEqual([]);
      expect(await due(1_000, 1)).toEqual([['node/2', 1]]);
    });

    it('are not open while held, and open again with their due time', async () => {
      await change(deadline('node/1', 1, 100), deadline('node/2', 1, 200));
      await change(deadline('node/1', 1, 100, 'held'));
      expect(await due(1_000)).toEqual([['node/2', 1]]);
      await bench.reopen();
      await change(deadline('node/1', 1, 100));
      expect(await due(1_000)).toEqual([
        ['node/1', 1],
        ['node/2', 1],
      ]);
    });

    it('are gone when closed; of several changes in one append the last counts', async () => {
      await change(deadline('node/1', 1, 100), deadline('node/1', 1, 100, 'closed'), deadline('node/1', 2, 150));
      expect(await due(1_000)).toEqual([['node/1', 2]]);
      await change(deadline('node/1', 2, 150, 'held'), deadline('node/1', 2, 150));
      expect(await due(1_000)).toEqual([['node/1', 2]]);
      await change(deadline('node/1', 2, 150, 'closed'));
      expect(await due(1_000)).toEqual([]);
    });

    it('may lie ten years ahead', async () => {
      const tenYears = 1_900_000_000_000;
      await change(deadline('node/1', 1, tenYears));
      expect(await due(tenYears - 1)).toEqual([]);
      expect(await due(tenYears)).toEqual([['node/1', 1]]);
    });
  });
}

/** The bench, with the words of this file; each describe block that calls it gets logs of its own. */
function benchEachTestOf(open: OpenLog) {
  let current: ReturnType<typeof benchEachTest>;
  const start = () => {
    const bench = benchEachTest(open);
    beforeEach(() => {
      current = bench;
    });
    return {
      change: async (...changes: Change[]) => won(await bench.current.log.append(appending({}, { changes }))),
      claim: (owner: string, now: number, leaseMs: number, limit: number) =>
        bench.current.leases.claim(owner, now, leaseMs, limit),
    };
  };
  return Object.assign(start, {
    current: () => current.current,
    reopen: async () => {
      current.current = await current.current.reopen();
    },
  });
}
