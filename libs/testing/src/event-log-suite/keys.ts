import { appending, appendAll, freed, lost, named, won } from './appending';
import { benchEachTest, type OpenLog } from './log-under-test';

export function keys(open: OpenLog): void {
  describe('unique keys', () => {
    const bench = benchEachTest(open);
    const append = (stream: string, changes: Parameters<typeof appending>[1]) =>
      bench.current.log.append(appending({ [stream]: 'any' }, changes));
    const owners = async (...values: string[]) =>
      Object.fromEntries(await bench.current.readModel.owners('node name', values));

    it('refuses a value that another holds, naming it and its owner', async () => {
      won(await append('node/1', { changes: [named('node/1', 'alpha')] }));
      const conflict = { kind: 'key', index: 'node name', value: 'alpha', owner: 'node/1' };
      expect(lost(await append('node/2', { changes: [named('node/2', 'alpha')] }))).toEqual(conflict);
      won(await append('node/1', { changes: [named('node/1', 'alpha')] }));
      won(await append('node/2', { changes: [named('node/2', 'alpha', 'mac')] }));
      expect(await owners('alpha', 'beta')).toEqual({ alpha: 'node/1' });
    });

    it('frees a released value, and only for its owner', async () => {
      won(await append('node/1', { changes: [named('node/1', 'alpha')] }));
      won(await append('node/2', { changes: [freed('node/2', 'alpha')] }));
      expect(await owners('alpha')).toEqual({ alpha: 'node/1' });
      won(await append('node/1', { changes: [freed('node/1', 'alpha'), named('node/1', 'beta')] }));
      won(await append('node/2', { changes: [named('node/2', 'alpha')] }));
      expect(await owners('alpha', 'beta')).toEqual({ alpha: 'node/2', beta: 'node/1' });
    });

    it('lets a value change hands within one append, in either order', async () => {
      won(await append('node/1', { changes: [named('node/1', 'alpha')] }));
      won(await append('node/2', { changes: [freed('node/1', 'alpha'), named('node/2', 'alpha')] }));
      expect(await owners('alpha')).toEqual({ alpha: 'node/2' });
      won(await append('node/1', { changes: [named('node/1', 'alpha'), freed('node/2', 'alpha')] }));
      expect(await owners('alpha')).toEqual({ alpha: 'node/1' });
    });

    it('follows a rename there and back within one append', async () => {
      won(await append('node/1', { changes: [named('node/1', 'alpha')] }));
      const thereAndBack = [
        freed('node/1', 'alpha'),
        named('node/1', 'beta'),
        freed('node/1', 'beta'),
        named('node/1', 'alpha'),
      ];
      won(await append('node/1', { changes: thereAndBack }));
      expect(await owners('alpha', 'beta')).toEqual({ alpha: 'node/1' });
    });

    it('lets two nodes swap their names in one append', async () => {
      won(await append('node/1', { changes: [named('node/1', 'alpha'), named('node/2', 'beta')] }));
      const swap = [
        named('node/1', 'beta'),
        named('node/2', 'alpha'),
        freed('node/1', 'alpha'),
        freed('node/2', 'beta'),
      ];
      won(await append('node/1', { changes: swap }));
      expect(await owners('alpha', 'beta')).toEqual({ alpha: 'node/2', beta: 'node/1' });
    });

    it('refuses two claimants of one value in one append', async () => {
      const both = [named('port/1', 'aa', 'mac'), named('port/2', 'aa', 'mac')];
      expect(lost(await append('node/1', { changes: both }))).toMatchObject({ kind: 'key', owner: 'port/1' });
    });

    it('hands a value on between the members of one batch', async () => {
      won(await append('node/1', { changes: [named('node/1', 'alpha')] }));
      const results = await appendAll(bench.current.log, [
        appending({ 'node/2': 'any' }, { changes: [named('node/2', 'alpha')] }),
        appending({ 'node/1': 'any' }, { changes: [freed('node/1', 'alpha')] }),
        appending({ 'node/3': 'any' }, { changes: [named('node/3', 'alpha')] }),
      ]);
      expect(results.map(({ ok }) => ok)).toEqual([false, true, true]);
      expect(await owners('alpha')).toEqual({ alpha: 'node/3' });
    });

    it('writes a finished inspection with its ports or not at all', async () => {
      won(await append('port/9', { changes: [named('port/9', '52:54:00:00:00:02', 'mac')] }));
      won(await append('node/1', {}));
      const finish = (ports: string[], macs: string[]) =>
        appending(Object.fromEntries([['node/1', 1], ...ports.map((port) => [port, 'absent'])]), {
          changes: ports.map((port, i) => named(port, macs[i] ?? '', 'mac')),
        });
      const macs = ['52:54:00:00:00:01', '52:54:00:00:00:02', '52:54:00:00:00:03'];
      const all = await bench.current.log.append(finish(['port/1', 'port/2', 'port/3'], macs));
      expect(lost(all)).toEqual({ kind: 'key', index: 'mac', value: macs[1], owner: 'port/9' });
      expect(Object.fromEntries(await bench.current.readModel.owners('mac', macs))).toEqual({
        [macs[1] ?? '']: 'port/9',
      });
      expect(await bench.current.log.head()).toBe(2);
      const without = await bench.current.log.append(finish(['port/1', 'port/3'], [macs[0] ?? '', macs[2] ?? '']));
      expect(won(without)).toHaveLength(3);
      bench.current = await bench.current.reopen();
      expect((await bench.current.readModel.owners('mac', macs)).size).toBe(3);
    });
  });
}
