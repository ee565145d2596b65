import type { Append, AppendConflict } from '@lib/ports';
import { appending, appendAll, expectIntactChains, lost, named, nodeChanges, won } from './appending';
import { benchEachTest, type OpenLog } from './log-under-test';

interface WayToLose {
  readonly how: string;
  /** Appended before the batch. */
  readonly before: readonly Append[];
  readonly loser: (i: number) => Append;
  readonly conflict: AppendConflict;
}

const mac = '52:54:00:aa:bb:cc';
const waysToLose: readonly WayToLose[] = [
  {
    how: 'a version',
    before: [appending({ 'node/taken': 'absent' })],
    loser: () => appending({ 'node/taken': 'absent' }),
    conflict: { kind: 'version', stream: 'node/taken', actual: 1 },
  },
  {
    how: 'a name',
    before: [appending({ 'node/taken': 'absent' }, { changes: [named('node/taken', 'alpha')] })],
    loser: (i) => appending({ [`node/${i}`]: 'absent' }, { changes: [named(`node/${i}`, 'alpha')] }),
    conflict: { kind: 'key', index: 'node name', value: 'alpha', owner: 'node/taken' },
  },
  {
    how: 'a MAC',
    before: [appending({ 'port/taken': 'absent' }, { changes: [named('port/taken', mac, 'mac')] })],
    loser: (i) => appending({ [`port/${i}`]: 'absent' }, { changes: [named(`port/${i}`, mac, 'mac')] }),
    conflict: { kind: 'key', index: 'mac', value: mac, owner: 'port/taken' },
  },
  {
    how: 'a guard',
    before: [appending({ 'node/taken': 'absent' }), appending({ 'node/taken': 1 })],
    loser: (i) => appending({ [`port/${i}`]: 'absent' }, { guards: [{ stream: 'node/taken', version: 1 }] }),
    conflict: { kind: 'guard', stream: 'node/taken', actual: 2 },
  },
];

const SIZE = 100;

export function batches(open: OpenLog): void {
  describe('batches', () => {
    const bench = benchEachTest(open);

    for (const { how, before, loser, conflict } of waysToLose) {
      it.each([1, 10, 99])(`of 100 where %i lose by ${how} write the rest`, async (losers) => {
        const { log, readModel } = bench.current;
        for (const append of before)
          won(
            await log.append({ ...append, meta: { ...append.meta, commandId: `b${losers}` + append.meta.commandId } }),
          );
        const head = await log.head();
        // Losers spread over the batch, also at both of its ends.
        const loses = (i: number) => Math.floor(((i + 1) * losers) / SIZE) > Math.floor((i * losers) / SIZE);
        const appends = Array.from({ length: SIZE }, (_, i) =>
          loses(i)
            ? loser(i)
            : appending({ [`node/${i}`]: 'absent' }, { changes: nodeChanges(`${i}`, 1, { name: `n${i}` }) }),
        );
        const results = await appendAll(log, appends);
        results.forEach((result, i) => (loses(i) ? expect(lost(result)).toEqual(conflict) : won(result)));
        expect(await log.head()).toBe(head + SIZE - losers);
        const ids = Array.from({ length: SIZE }, (_, i) => `${i}`);
        expect(await readModel.get('node', ids)).toHaveLength(SIZE - losers);
        await expectIntactChains(log);
      });
    }

    it('has one winner among members that meet each other', async () => {
      const { log } = bench.current;
      const results = await appendAll(log, [
        ...Array.from({ length: 50 }, () => appending({ 'node/1': 'absent' })),
        ...Array.from({ length: 50 }, (_, i) =>
          appending({ [`port/${i}`]: 'absent' }, { changes: [named(`port/${i}`, mac, 'mac')] }),
        ),
      ]);
      expect(results.filter(({ ok }) => ok)).toHaveLength(2);
      const conflicts = results.flatMap((result) => (result.ok ? [] : [result.conflict]));
      expect(new Set(conflicts.map((conflict) => JSON.stringify(conflict)))).toEqual(
        new Set([
          JSON.stringify({ kind: 'version', stream: 'node/1', actual: 1 }),
          JSON.stringify({ kind: 'key', index: 'mac', value: mac, owner: 'port/0' }),
        ]),
      );
    });

    it('takes a chain of appends to one stream that expect each other', async () => {
      const { log } = bench.current;
      const results = await appendAll(
        log,
        Array.from({ length: SIZE }, (_, i) =>
          appending({ 'node/1': i === 0 ? 'absent' : i }, { changes: nodeChanges('1', i + 1, { rank: i }) }),
        ),
      );
      expect(results.every(({ ok }) => ok)).toBe(true);
      expect(await bench.current.readModel.get('node', ['1'])).toMatchObject([{ seq: 1, version: SIZE }]);
      await expectIntactChains(log);
    });

    it.each(['removal first', 'creation first'])('ends a removal against a port creation: %s', async (order) => {
      const { log } = bench.current;
      won(await log.append(appending({ 'node/1': 'absent', 'port/1': 'absent' })));
      const guards = [{ stream: 'node/1', version: 1 }];
      const removal = appending({ 'node/1': 1, 'port/1': 1 }, { removes: true, type: 'Removed' });
      const creation = appending({ 'port/2': 'absent' }, { guards });
      const [first, second] = order === 'removal first' ? [removal, creation] : [creation, removal];
      const results = await appendAll(log, [first, second]);
      if (order === 'removal first') {
        expect(results[1] && lost(results[1])).toEqual({ kind: 'guard', stream: 'node/1', actual: 2 });
        expect((await log.versions(['port/2'])).get('port/2')).toEqual({ version: 0, removed: true });
      } else {
        // A guard does not move the stream it names: who removes must know of the port by other means (the mailbox).
        expect(results.every(({ ok }) => ok)).toBe(true);
      }
      expect((await log.versions(['node/1'])).get('node/1')).toEqual({ version: 2, removed: true });
    });
  });
}
