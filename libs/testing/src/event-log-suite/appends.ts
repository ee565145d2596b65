import { createHash } from 'node:crypto';
import { LogUnavailable, type RecordedEvent } from '@lib/ports';
import { appending, appendAll, expectIntactChains, lost, nodeChanges, wholeLog, won } from './appending';
import { benchEachTest, type OpenLog } from './log-under-test';

export function appends(open: OpenLog): void {
  describe('appends', () => {
    const bench = benchEachTest(open);
    const log = () => bench.current.log;

    it('starts empty, with an id of its own that stays', async () => {
      expect(await log().head()).toBe(0);
      expect(await log().readAll(0, 10)).toEqual([]);
      expect(await log().readStream('node/1', 0, 10)).toEqual([]);
      const id = await log().logId();
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      bench.current = await bench.current.reopen();
      expect(await log().logId()).toBe(id);
    });

    it('stores events byte for byte and answers what it stored', async () => {
      const data = { text: 'ä\u0000 "\\ 🦀', list: [1, 2.5, null], nested: { true: false } };
      const events = won(await log().append(appending({ 'node/1': 'absent', 'port/1': 'absent' }, { data })));
      expect(events.map(({ position, stream, version }) => [position, stream, version])).toEqual([
        [1, 'node/1', 1],
        [2, 'port/1', 1],
      ]);
      expect(events[0]?.data).toBe(JSON.stringify(data));
      bench.current = await bench.current.reopen();
      expect(await log().readAll(0, 10)).toEqual(events);
      expect(await log().readStream('port/1', 0, 10)).toEqual([events[1]]);
      expect(JSON.parse(events[0]?.meta ?? '')).toMatchObject({ requestId: 'req-1', source: 'suite', at: 7 });
    });

    it('reads in pages', async () => {
      await appendAll(
        log(),
        Array.from({ length: 7 }, () => appending({ 'node/1': 'any' })),
      );
      expect((await log().readStream('node/1', 2, 3)).map(({ version }) => version)).toEqual([3, 4, 5]);
      expect((await log().readAll(5, 10)).map(({ position }) => position)).toEqual([6, 7]);
      expect(await log().head()).toBe(7);
    });

    it('refuses an append that saw another version, naming the actual one', async () => {
      won(await log().append(appending({ 'node/1': 'absent' })));
      const conflict = { kind: 'version', stream: 'node/1', actual: 1 };
      expect(lost(await log().append(appending({ 'node/1': 'absent' })))).toEqual(conflict);
      expect(lost(await log().append(appending({ 'node/1': 0 })))).toEqual(conflict);
      expect(lost(await log().append(appending({ 'node/1': 2 })))).toEqual(conflict);
      won(await log().append(appending({ 'node/1': 1 })));
      won(await log().append(appending({ 'node/1': 'any' })));
      expect(lost(await log().append(appending({ 'node/2': 1 })))).toEqual({
        ...conflict,
        stream: 'node/2',
        actual: 0,
      });
    });

    it('writes all streams of an append or none', async () => {
      won(await log().append(appending({ 'port/1': 'absent' })));
      const changes = nodeChanges('1', 1, { name: 'one' });
      const losing = appending({ 'node/1': 'absent', 'port/1': 'absent' }, { changes });
      expect(lost(await log().append(losing))).toEqual({ kind: 'version', stream: 'port/1', actual: 1 });
      expect(await log().head()).toBe(1);
      expect(await bench.current.readModel.get('node', ['1'])).toEqual([]);
      expect((await log().versions(['node/1'])).get('node/1')).toEqual({ version: 0, removed: true });
    });

    it('refuses an append whose guard moved', async () => {
      won(await log().append(appending({ 'node/1': 'absent' })));
      const guarded = () => appending({ 'port/1': 'absent' }, { guards: [{ stream: 'node/1', version: 1 }] });
      won(await log().append(appending({ 'node/1': 1 })));
      expect(lost(await log().append(guarded()))).toEqual({ kind: 'guard', stream: 'node/1', actual: 2 });
      won(await log().append(appending({ 'port/1': 'absent' }, { guards: [{ stream: 'node/1', version: 2 }] })));
    });

    it('knows a command id, whatever else the repeated append says', async () => {
      const events = won(
        await log().append(appending({ 'node/1': 'absent', 'port/1': 'absent' }, { commandId: 'c1' })),
      );
      won(await log().append(appending({ 'node/1': 1 })));
      const again = await log().append(appending({ 'node/1': 'absent' }, { commandId: 'c1' }));
      expect(lost(again)).toEqual({ kind: 'command', commandId: 'c1' });
      expect(await log().readCommand('c1')).toEqual(events);
      expect(await log().readCommand('c2')).toEqual([]);
    });

    it('takes one of two appends with one command id in one batch', async () => {
      const twice = ['node/1', 'node/2'].map((stream) => appending({ [stream]: 'absent' }, { commandId: 'c1' }));
      const [first, second] = await appendAll(log(), twice);
      expect(first?.ok).toBe(true);
      expect(second && lost(second)).toEqual({ kind: 'command', commandId: 'c1' });
      expect(await log().head()).toBe(1);
    });

    it('counts a removed stream as absent while its versions go on', async () => {
      won(await log().append(appending({ 'node/1': 'absent' })));
      won(await log().append(appending({ 'node/1': 1 }, { removes: true })));
      expect((await log().versions(['node/1'])).get('node/1')).toEqual({ version: 2, removed: true });
      expect(won(await log().append(appending({ 'node/1': 'absent' })))[0]?.version).toBe(3);
      expect((await log().versions(['node/1'])).get('node/1')).toEqual({ version: 3, removed: false });
      bench.current = await bench.current.reopen();
      expect(lost(await log().append(appending({ 'node/1': 'absent' })))).toMatchObject({ kind: 'version', actual: 3 });
      await expectIntactChains(log());
    });

    it('chains the hashes of each stream', async () => {
      for (let i = 0; i < 30; i++) {
        won(await log().append(appending({ [`node/${i % 3}`]: 'any', [`port/${i % 7}`]: 'any' }, { data: { i } })));
      }
      expect(await expectIntactChains(log())).toHaveLength(60);
    });

    it('never lets the time of recording go back', async () => {
      won(await log().append(appending({ 'node/1': 'any' })));
      bench.clock.moveTo(500);
      won(await log().append(appending({ 'node/1': 'any' })));
      bench.current = await bench.current.reopen();
      won(await log().append(appending({ 'node/1': 'any' })));
      bench.clock.moveTo(2_000_000);
      won(await log().append(appending({ 'node/1': 'any' })));
      const times = (await wholeLog(log())).map(({ recordedAt }) => recordedAt);
      expect(times).toEqual([1_000_000, 1_000_000, 1_000_000, 2_000_000]);
    });

    it('writes changes without an event and leaves the command id free', async () => {
      const contact = appending({}, { changes: nodeChanges('1', 0, {}), commandId: 'c1' });
      expect(won(await log().append(contact))).toEqual([]);
      expect(await bench.current.readModel.get('node', ['1'])).toHaveLength(1);
      won(await log().append(appending({ 'node/1': 'absent' }, { commandId: 'c1' })));
    });

    it('calls back after each commit, before the append resolves, until told to stop', async () => {
      const heard: RecordedEvent[] = [];
      const stop = log().onCommit((events) => heard.push(...events));
      const events = won(await log().append(appending({ 'node/1': 'absent' })));
      expect(heard).toEqual(events);
      lost(await log().append(appending({ 'node/1': 'absent' })));
      stop();
      won(await log().append(appending({ 'node/1': 1 })));
      expect(heard).toEqual(events);
    });

    it('keeps blobs by their hash', async () => {
      const bytes = Buffer.from('an inventory '.repeat(1000));
      const hash = createHash('sha256').update(bytes).digest('hex');
      const blobs = [{ hash, bytes }];
      won(await log().append(appending({ 'node/1': 'absent' }, { blobs })));
      won(await log().append(appending({ 'node/1': 1 }, { blobs })));
      bench.current = await bench.current.reopen();
      expect(Buffer.from((await log().readBlob(hash)) ?? [])).toEqual(bytes);
      expect(Buffer.from((await bench.current.readModel.readBlob(hash)) ?? [])).toEqual(bytes);
      expect(await log().readBlob('0'.repeat(64))).toBeNull();
      const wrong = appending({ 'node/1': 2 }, { blobs: [{ hash: '0'.repeat(64), bytes }] });
      await expect(log().append(wrong)).rejects.toThrow(TypeError);
    });

    it('refuses what no store could take, as a bug of the caller', async () => {
      const twice = appending({ 'node/1': 'any' });
      const append = { ...twice, writes: [...twice.writes, ...twice.writes] };
      await expect(log().append(append)).rejects.toThrow(TypeError);
      const undeclared = appending({ 'node/1': 'any' }, { changes: nodeChanges('1', 1, { colour: 'red' }) });
      await expect(log().append(undeclared)).rejects.toThrow(TypeError);
      const wrongType = appending({ 'node/1': 'any' }, { changes: nodeChanges('1', 1, { rank: 'first' }) });
      await expect(log().append(wrongType)).rejects.toThrow(TypeError);
      expect(await log().head()).toBe(0);
    });

    it('is unavailable once closed', async () => {
      const closed = bench.current;
      bench.current = await bench.current.reopen();
      await expect(closed.log.append(appending({ 'node/1': 'any' }))).rejects.toThrow(LogUnavailable);
      await expect(closed.leases.claim('worker', 0, 1, 1)).rejects.toThrow(LogUnavailable);
      won(await log().append(appending({ 'node/1': 'absent' })));
    });
  });
}
