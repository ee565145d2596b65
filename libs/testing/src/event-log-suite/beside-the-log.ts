import { benchEachTest, type OpenLog } from './log-under-test';

export function besideTheLog(open: OpenLog): void {
  describe('beside the log', () => {
    const bench = benchEachTest(open);
    const described = { hostname: 'b', conductorGroup: '', drivers: ['fake-hardware'], capabilities: '{}' };
    const row = { ...described, id: 'id-2', online: true, createdAt: 90 };

    it('conductors beat, keeping the time of their first beat', async () => {
      const { liveness } = bench.current;
      await liveness.beat(row, 100);
      await liveness.beat({ ...row, id: 'id-1', hostname: 'a', conductorGroup: 'rack-1', createdAt: 150 }, 150);
      await liveness.beat({ ...row, online: false, drivers: ['redfish'], createdAt: 180 }, 200);
      bench.current = await bench.current.reopen();
      expect(await bench.current.liveness.conductors()).toEqual([
        { ...row, id: 'id-1', hostname: 'a', conductorGroup: 'rack-1', createdAt: 150, updatedAt: 150 },
        { ...row, online: false, drivers: ['redfish'], createdAt: 90, updatedAt: 200 },
      ]);
    });

    it('conductors of one host name are told apart by their ids, until one is forgotten', async () => {
      const { liveness } = bench.current;
      await liveness.beat(row, 100);
      await liveness.beat({ ...row, id: 'id-1', createdAt: 110 }, 110);
      await liveness.beat({ ...row, online: false }, 120);
      const shown = async () => (await liveness.conductors()).map(({ id, online }) => [id, online]);
      expect(await shown()).toEqual([
        ['id-2', false],
        ['id-1', true],
      ]);
      await liveness.forget(['id-2', 'unknown']);
      await liveness.forget([]);
      expect(await shown()).toEqual([['id-1', true]]);
    });

    it('keys are kept until removed, and never written over', async () => {
      await bench.current.keyStore.put('k1', 'wrapped');
      await expect(bench.current.keyStore.put('k1', 'other')).rejects.toThrow('k1');
      bench.current = await bench.current.reopen();
      expect(await bench.current.keyStore.get('k1')).toBe('wrapped');
      await bench.current.keyStore.remove('k1');
      expect(await bench.current.keyStore.get('k1')).toBeNull();
      await bench.current.keyStore.remove('k1');
    });
  });
}
