import type { Change, Fence } from '@lib/ports';
import { appending, appendAll, lost, nodeChanges, won } from './appending';
import { benchEachTest, type OpenLog } from './log-under-test';

const effect = (n: number, status: 'open' | 'closed' = 'open', stream = 'node/1'): Change => ({
  change: 'effect',
  stream,
  n,
  attempt: 1,
  status,
  json: '{}',
});
const fence = (claim: number, n = 1, stream = 'node/1'): Fence => ({ stream, n, claim });

export function fences(open: OpenLog): void {
  describe('fences', () => {
    const bench = benchEachTest(open);
    const opened = async (...changes: Change[]) => won(await bench.current.log.append(appending({}, { changes })));
    const claim = (now: number) => bench.current.leases.claim('worker', now, 10, 9);
    const outcome = (claimed: number, n = 1) =>
      appending({ 'node/1': 'any' }, { fences: [fence(claimed, n)], changes: [effect(n, 'closed')] });
    const old = { kind: 'fence', stream: 'node/1' };

    it('let an outcome pass under the claim that stands', async () => {
      await opened(effect(1));
      await claim(0);
      won(await bench.current.log.append(outcome(1)));
      expect(await claim(100)).toEqual([]);
    });

    it('refuse an older claim, also when the newer one ended or was never renewed', async () => {
      await opened(effect(1));
      await claim(0);
      await claim(10);
      expect(lost(await bench.current.log.append(outcome(1)))).toEqual(old);
      bench.current = await bench.current.reopen();
      expect(lost(await bench.current.log.append(outcome(1)))).toEqual(old);
      won(await bench.current.log.append(outcome(2)));
      expect(lost(await bench.current.log.append(outcome(2)))).toEqual(old);
      expect(await bench.current.log.head()).toBe(1);
    });

    it('refuse an effect that is not open, or that nobody has claimed', async () => {
      expect(lost(await bench.current.log.append(outcome(1)))).toEqual(old);
      await opened(effect(1), effect(2));
      await claim(0);
      expect(lost(await bench.current.log.append(outcome(1, 2)))).toEqual(old);
      expect(lost(await bench.current.log.append(outcome(1, 3)))).toEqual(old);
    });

    it('take one of two outcomes of one claim in one batch, and the rest of the batch', async () => {
      await opened(effect(1), effect(1, 'open', 'node/2'));
      await claim(0);
      const other = appending({ 'node/2': 'any' }, { fences: [fence(1, 1, 'node/2')] });
      const [first, second, third] = await appendAll(bench.current.log, [outcome(1), outcome(1), other]);
      expect(first?.ok).toBe(true);
      expect(second && lost(second)).toEqual(old);
      expect(third?.ok).toBe(true);
    });

    it('come before a version that moved, and after a command that is known', async () => {
      await opened(effect(1));
      await claim(0);
      won(await bench.current.log.append(appending({ 'node/1': 'any' }, { commandId: 'c1' })));
      const late = { fences: [fence(7)] };
      expect(lost(await bench.current.log.append(appending({ 'node/1': 0 }, late)))).toEqual(old);
      expect(lost(await bench.current.log.append(appending({ 'node/1': 0 }, { ...late, commandId: 'c1' })))).toEqual({
        kind: 'command',
        commandId: 'c1',
      });
    });
  });

  describe('emptiness', () => {
    const bench = benchEachTest(open);
    const port = (id: string, node: string | null): Change => ({
      change: 'put',
      kind: 'port',
      id,
      version: 4,
      json: '{}',
      columns: { node },
    });
    const removal = (...changes: Change[]) =>
      appending(
        { 'node/1': 'any' },
        { changes, removes: true, empties: [{ kind: 'port', column: 'node', value: '1' }] },
      );
    const opened = async (...changes: Change[]) => won(await bench.current.log.append(appending({}, { changes })));
    const log = () => bench.current.log;

    it('lets an append pass that takes all along', async () => {
      await opened(port('a', '1'), port('b', '1'), port('c', '2'));
      won(await log().append(removal({ change: 'remove', kind: 'port', id: 'a' }, port('b', '2'))));
    });

    it('names the first document that remains and stores nothing', async () => {
      await opened(port('b', '1'), port('a', '1'), port('c', '1'));
      const changes: Change[] = [{ change: 'remove', kind: 'port', id: 'b' }, ...nodeChanges('n', 1, {})];
      const conflict = { kind: 'guard', stream: 'port/a', actual: 4 };
      expect(lost(await log().append(removal(...changes)))).toEqual(conflict);
      expect(await log().head()).toBe(0);
      expect(await bench.current.readModel.get('node', ['n'])).toEqual([]);
      expect(await bench.current.readModel.get('port', ['a', 'b', 'c'])).toHaveLength(3);
    });

    it('counts what the append itself leaves behind', async () => {
      expect(lost(await log().append(removal(port('a', '1'))))).toEqual({ kind: 'guard', stream: 'port/a', actual: 4 });
      won(await log().append(removal({ change: 'removeWhere', kind: 'port', column: 'node', value: '1' })));
    });

    it('speaks of null as of a value', async () => {
      await opened(port('a', null));
      const empties = [{ kind: 'port', column: 'node', value: null }];
      expect(lost(await log().append(appending({ 'node/1': 'any' }, { empties })))).toMatchObject({ stream: 'port/a' });
      await opened(port('a', ''));
      won(await log().append(appending({ 'node/1': 'any' }, { empties })));
    });

    it('costs the others of its batch nothing', async () => {
      await opened(port('a', '1'));
      const appends = Array.from({ length: 40 }, (_, i) =>
        i === 17 ? removal() : appending({ [`node/x${i}`]: 'absent' }, { changes: nodeChanges(`${i}`, 1, {}) }),
      );
      const results = await appendAll(log(), appends);
      expect(results.flatMap((result, i) => (result.ok ? [] : [[i, result.conflict]]))).toEqual([
        [17, { kind: 'guard', stream: 'port/a', actual: 4 }],
      ]);
      expect(await log().head()).toBe(39);
    });

    it('may only be promised of declared columns', async () => {
      const empties = [{ kind: 'port', column: 'colour', value: 'red' }];
      await expect(log().append(appending({ 'node/1': 'any' }, { empties }))).rejects.toThrow(TypeError);
    });
  });
}
