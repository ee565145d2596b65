import type { Change } from '@lib/ports';
import { appending, nodeChanges, won } from './appending';
import { benchEachTest, type OpenLog } from './log-under-test';

const history = (id: string, node: string): Change => ({
  change: 'put',
  kind: 'history',
  id,
  version: 1,
  json: `{"id":"${id}"}`,
  columns: { node },
});

export function documents(open: OpenLog): void {
  describe('documents', () => {
    const bench = benchEachTest(open);
    const change = async (...changes: Change[]) => won(await bench.current.log.append(appending({}, { changes })));
    const ids = async (kind: string) => {
      const query = { kind, where: [], sort: { column: 'seq', descending: false }, limit: 100 };
      return (await bench.current.readModel.list(query))?.map(({ id }) => id);
    };

    it('are stored byte for byte and found by id, missing ones left out', async () => {
      const json = '{ "spaced" :  "ä🦀\\u0000" }';
      await change({ change: 'put', kind: 'node', id: 'a', version: 3, json, columns: {} }, ...nodeChanges('b', 1, {}));
      bench.current = await bench.current.reopen();
      const found = await bench.current.readModel.get('node', ['b', 'x', 'a', 'a']);
      expect(found.map(({ id }) => id).sort()).toEqual(['a', 'b']);
      expect(found.find(({ id }) => id === 'a')).toEqual({ id: 'a', seq: 1, version: 3, json });
      expect(await bench.current.readModel.get('port', ['a'])).toEqual([]);
    });

    it('are counted by condition, no further than is asked', async () => {
      const { readModel } = bench.current;
      const named = ['ann', 'bob', 'ann', null].flatMap((name, i) => nodeChanges(`${i}`, 1, { name }));
      await change(...named, history('h', 'a'));
      const is = (...values: (string | null)[]) => [{ column: 'name', is: 'in', values }] as const;
      expect(await readModel.count('node', [], 9)).toBe(4);
      expect(await readModel.count('node', [], 3)).toBe(3);
      expect(await readModel.count('node', is('ann', 'bob'), 9)).toBe(3);
      expect(await readModel.count('node', is(null), 9)).toBe(1);
      expect(await readModel.count('node', [...is('ann'), { column: 'id', is: 'equal', value: '2' }], 9)).toBe(1);
      expect(await readModel.count('port', [], 9)).toBe(0);
    });

    it('answer each of many reads of one turn with its own documents', async () => {
      await change(...Array.from({ length: 50 }, (_, i) => nodeChanges(`${i}`, i + 1, {})).flat());
      const reads = Array.from({ length: 100 }, (_, i) => bench.current.readModel.get('node', [`${i}`]));
      const found = await Promise.all(reads);
      expect(found.map((documents) => documents.length)).toEqual(
        Array.from({ length: 100 }, (_, i) => (i < 50 ? 1 : 0)),
      );
      expect(found[7]?.[0]).toMatchObject({ id: '7', version: 8 });
    });

    it('keep their place in the order of creation until they are removed', async () => {
      await change(...['a', 'b', 'c'].flatMap((id) => nodeChanges(id, 1, {})));
      await change(...nodeChanges('a', 2, { name: 'later' }));
      expect(await ids('node')).toEqual(['a', 'b', 'c']);
      await change({ change: 'remove', kind: 'node', id: 'a' }, ...nodeChanges('a', 3, {}));
      expect(await ids('node')).toEqual(['b', 'c', 'a']);
    });

    it('follow the order of changes within one append', async () => {
      await change(
        ...nodeChanges('a', 1, {}),
        { change: 'remove', kind: 'node', id: 'a' },
        ...nodeChanges('b', 1, {}),
        ...nodeChanges('c', 1, {}),
        ...nodeChanges('b', 2, { name: 'bee' }),
        { change: 'remove', kind: 'node', id: 'never there' },
      );
      expect(await ids('node')).toEqual(['b', 'c']);
      expect(await bench.current.readModel.get('node', ['b'])).toMatchObject([{ version: 2 }]);
    });

    it('are removed by a column, null included', async () => {
      await change(history('1', 'a'), history('2', 'b'), history('3', 'a'));
      await change({ change: 'removeWhere', kind: 'history', column: 'node', value: 'a' });
      expect(await ids('history')).toEqual(['2']);
      await change(...nodeChanges('x', 1, { name: null }), ...nodeChanges('y', 1, { name: 'y', maintenance: true }));
      await change({ change: 'removeWhere', kind: 'node', column: 'name', value: null });
      expect(await ids('node')).toEqual(['y']);
      await change({ change: 'removeWhere', kind: 'node', column: 'maintenance', value: true });
      expect(await ids('node')).toEqual([]);
    });

    it('are trimmed to the newest of a column', async () => {
      await change(...[1, 2, 3, 4, 5].flatMap((i) => [history(`a${i}`, 'a'), history(`b${i}`, 'b')]));
      await change({ change: 'trim', kind: 'history', column: 'node', value: 'a', keep: 2 });
      expect(await ids('history')).toEqual(['b1', 'b2', 'b3', 'a4', 'b4', 'a5', 'b5']);
      await change({ change: 'trim', kind: 'history', column: 'node', value: 'b', keep: 9 });
      await change(history('a6', 'a'), { change: 'trim', kind: 'history', column: 'node', value: 'a', keep: 0 });
      expect(await ids('history')).toEqual(['b1', 'b2', 'b3', 'b4', 'b5']);
    });

    it('are trimmed in the order of changes, whoever else is in the batch', async () => {
      const trim = (node: string | null, keep: number): Change => ({
        change: 'trim',
        kind: 'history',
        column: 'node',
        value: node,
        keep,
      });
      const entries = (node: string, from: number, count: number, keep: number): Change[] =>
        Array.from({ length: count }, (_, i) => [history(`${node}${from + i}`, node), trim(node, keep)]).flat();
      await Promise.all(['a', 'b', 'c', 'd'].map((node) => change(...entries(node, 1, 5, 2))));
      expect((await ids('history'))?.sort()).toEqual(['a4', 'a5', 'b4', 'b5', 'c4', 'c5', 'd4', 'd5']);
      // A put after the last trim of its value stays, and so does what another column or length asks for.
      await Promise.all([
        change(trim('a', 1), history('a6', 'a')),
        change(trim('b', 0), trim('b', 5), history('b6', 'b'), { change: 'remove', kind: 'history', id: 'c4' }),
        change(...entries('c', 6, 3, 2), { change: 'removeWhere', kind: 'history', column: 'node', value: 'd' }),
        change(trim(null, 0), ...entries('e', 1, 2, 2)),
      ]);
      expect((await ids('history'))?.sort()).toEqual(['a5', 'a6', 'b6', 'c7', 'c8', 'e1', 'e2']);
    });
  });
}
