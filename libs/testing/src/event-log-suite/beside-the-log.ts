import { benchEachTest, type OpenLog } from './log-under-test';

export function besideTheLog(open: OpenLog): void {
  describe('beside the log', () => {
    const bench = benchEachTest(open);
    const row = { hostname: 'b', conductorGroup: '', drivers: ['fake-hardware'], online: true, capabilities: '{}' };

    it('conductors beat, keeping the time of their first beat', async () => {
      const { liveness } = bench.current;
      await liveness.beat(row, 100);
      await liveness.beat({ ...row, hostname: 'a', conductorGroup: 'rack-1' }, 150);
      await liveness.beat({ ...row, online: false, drivers: ['redfish'] }, 200);
      bench.current = await bench.current.reopen();
      expect(await bench.current.liveness.conductors()).toEqual([
        { ...row, hostname: 'a', conductorGroup: 'rack-1', createdAt: 150, updatedAt: 150 },
        { ...row, online: false, drivers: ['redfish'], createdAt: 100, updatedAt: 200 },
      ]);
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
