import fc from 'fast-check';
import type { Change, Condition, DocumentQuery, Scalar } from '@lib/ports';
import { appending, won } from './appending';
import { benchEachTest, type OpenLog } from './log-under-test';

type Row = { id: string; name: string | null; state: string | null; maintenance: boolean | null; rank: number | null };

const text = fc.option(fc.constantFrom('', 'a', 'A', 'a%', 'a_b', 'aXb', 'ab', 'ä', '\uffee', '🦀', "it's"), {
  nil: null,
});
const row = fc.record({
  name: text,
  state: text,
  maintenance: fc.option(fc.boolean(), { nil: null }),
  rank: fc.option(fc.integer({ min: -2, max: 2 }), { nil: null }),
});

const scalar: fc.Arbitrary<Scalar> = fc.oneof(text, fc.boolean(), fc.integer({ min: -2, max: 2 }));
const column = fc.constantFrom('name', 'state', 'maintenance', 'rank');
const simple: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ column, is: fc.constant('equal' as const), value: scalar }),
  fc.record({ column, is: fc.constant('in' as const), values: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ column, is: fc.constantFrom('null' as const, 'not null' as const) }),
  fc.record({ column, is: fc.constant('containing' as const), value: fc.constantFrom('', 'a', '%', '_', 'X', "'") }),
);
const condition = fc.oneof(simple, fc.record({ anyOf: fc.array(simple, { maxLength: 3 }) }));

/** The port's words, once more and naively. */
function meets(where: Condition, document: Row): boolean {
  if ('anyOf' in where) return where.anyOf.some((one) => meets(one, document));
  const value = document[where.column as keyof Row];
  if (where.is === 'null') return value === null;
  if (where.is === 'not null') return value !== null;
  if (where.is === 'equal') return value === where.value;
  if (where.is === 'in') return where.values.some((one) => one === value);
  return typeof value === 'string' && 'value' in where && value.indexOf(String(where.value)) >= 0;
}

const codePoints = (value: string) => [...value].map((one) => one.codePointAt(0) ?? 0);

function before(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b);
  const [x, y] = [codePoints(a), codePoints(b)];
  const at = x.findIndex((point, i) => point !== y[i]);
  return at < 0 ? -1 : (x[at] ?? 0) - (y[at] ?? -1);
}

function expected(rows: readonly Row[], { where, sort }: DocumentQuery): string[] {
  const seq = (document: Row) => rows.indexOf(document);
  const sorted = rows
    .filter((document) => where.every((one) => meets(one, document)))
    .sort((a, b) => {
      const first = sort.column === 'seq' ? 0 : before(a[sort.column as keyof Row], b[sort.column as keyof Row]);
      return first || seq(a) - seq(b);
    });
  return (sort.descending ? sorted.reverse() : sorted).map(({ id }) => id);
}

const put = ({ id, ...columns }: Row): Change => ({ change: 'put', kind: 'node', id, version: 1, json: '{}', columns });

export function paging(open: OpenLog): void {
  describe('lists of documents', () => {
    const bench = benchEachTest(open);

    it('hold what a naive filter and sort would, page by page', async () => {
      const query = fc.record({
        where: fc.array(condition, { maxLength: 2 }),
        sort: fc.record({
          column: fc.constantFrom('seq', 'id', 'name', 'maintenance', 'rank'),
          descending: fc.boolean(),
        }),
        limit: fc.integer({ min: 1, max: 5 }),
      });
      const property = fc.asyncProperty(
        fc.array(row, { maxLength: 14 }),
        fc.array(query, { minLength: 4, maxLength: 4 }),
        async (drawn, queries) => {
          const rows = drawn.map((columns, i): Row => ({ id: `${(i * 7) % 15}`, ...columns }));
          const old: Change[] = Array.from({ length: 15 }, (_, i) => ({ change: 'remove', kind: 'node', id: `${i}` }));
          won(await bench.current.log.append(appending({}, { changes: [...old, ...rows.map(put)] })));
          for (const one of queries) {
            expect(await allPages({ kind: 'node', ...one })).toEqual(expected(rows, { kind: 'node', ...one }));
          }
        },
      );
      await fc.assert(property, { numRuns: 60 });
    });

    async function allPages(query: DocumentQuery): Promise<string[]> {
      const ids: string[] = [];
      for (;;) {
        const page = await bench.current.readModel.list({ ...query, after: ids.at(-1) });
        if (page === null) throw new Error('the marker is a document of the page before');
        ids.push(...page.map(({ id }) => id));
        if (page.length < query.limit) return ids;
      }
    }

    it('answer null for a marker that is not there', async () => {
      const query = { kind: 'node', where: [], sort: { column: 'name', descending: false }, limit: 5 };
      expect(await bench.current.readModel.list({ ...query, after: 'x' })).toBeNull();
      expect(await bench.current.readModel.list(query)).toEqual([]);
    });

    it('refuse a column that is not declared', async () => {
      const { readModel } = bench.current;
      const sort = { column: 'colour', descending: false };
      await expect(readModel.list({ kind: 'node', where: [], sort, limit: 5 })).rejects.toThrow(TypeError);
      const where = [{ column: 'json', is: 'null' as const }];
      const byId = { column: 'id', descending: false };
      await expect(readModel.list({ kind: 'node', where, sort: byId, limit: 5 })).rejects.toThrow(TypeError);
      await expect(readModel.get('colour', ['1'])).rejects.toThrow(TypeError);
    });
  });
}
