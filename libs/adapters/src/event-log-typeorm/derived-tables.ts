import { columnType, type SchemaIndex } from '@lib/adapters/event-log-batch';
import type { DerivedRow, DerivedTable, DerivedTables, Range, RecordedEvent, StreamPlace } from '@lib/ports';
import { selected, sqlTable, toDerivedRow } from './derived-columns';
import { quoted } from './dialect';
import { EVENT_COLUMNS, toEvent } from './events-table';
import { chunks, rowsOfMarks, type Reading, type SqlValue } from './sql';

const KEYS_PER_SELECT = 1_000;

/** Each page is one statement, a read transaction of its own. */
export class TypeormDerivedTables implements DerivedTables {
  constructor(
    private readonly reading: Reading,
    private readonly schemas: SchemaIndex,
  ) {}

  async eventsByStream({ stream, version }: StreamPlace, limit: number): Promise<RecordedEvent[]> {
    const text = `SELECT ${EVENT_COLUMNS} FROM events
      WHERE (stream_id, version) > (?, ?) ORDER BY stream_id, version LIMIT ?`;
    return (await this.reading.query(text, [stream, version, limit])).map(toEvent);
  }

  documents(kind: string, column: string, range: Range): Promise<DerivedRow[]> {
    columnType(this.schemas, kind, column);
    return this.inRange({ kind }, column, range);
  }

  ofStreams(plain: 'streams' | 'deadlines' | 'effects', range: Range): Promise<DerivedRow[]> {
    return this.inRange({ plain }, 'stream_id', range);
  }

  async byKey(plain: 'commands' | 'unique_keys', keys: readonly (readonly string[])[]): Promise<DerivedRow[]> {
    const table = sqlTable({ plain }, this.schemas);
    const found: DerivedRow[] = [];
    for (const chunk of chunks(keys, KEYS_PER_SELECT)) {
      const wanted = this.reading.dialect.rowsIn(rowsOfMarks(chunk.length, table.keys.length));
      found.push(...(await this.select({ plain }, `(${table.keys.join(', ')}) IN ${wanted}`, chunk.flat())));
    }
    return found;
  }

  page(plain: 'commands' | 'unique_keys', after: readonly string[] | null, limit: number): Promise<DerivedRow[]> {
    const keys = sqlTable({ plain }, this.schemas).keys;
    const names = keys.join(', ');
    const where = after === null ? '1 = 1' : `(${names}) > ${rowsOfMarks(1, keys.length)}`;
    return this.select({ plain }, `${where} ORDER BY ${names} LIMIT ?`, [...(after ?? []), limit]);
  }

  countKeys(): Promise<number> {
    return this.count('SELECT count(*) AS many FROM unique_keys', []);
  }

  countCommands(upTo: number): Promise<number> {
    return this.count('SELECT count(*) AS many FROM commands WHERE first_position <= ?', [upTo]);
  }

  private async count(text: string, values: readonly SqlValue[]): Promise<number> {
    const [row] = await this.reading.query(text, values);
    return Number(row?.['many']);
  }

  private inRange(table: DerivedTable, column: string, range: Range): Promise<DerivedRow[]> {
    const name = quoted(column);
    if ('only' in range) return this.select(table, `${name} = ?`, [range.only]);
    const { after, upTo } = range;
    const end = upTo === null ? '' : ` AND ${name} <= ?`;
    return this.select(table, `${name} > ?${end} ORDER BY ${name}`, upTo === null ? [after] : [after, upTo]);
  }

  private async select(table: DerivedTable, where: string, values: readonly SqlValue[]): Promise<DerivedRow[]> {
    const sql = sqlTable(table, this.schemas);
    const rows = await this.reading.query(`SELECT ${selected(sql)} FROM ${sql.name} WHERE ${where}`, values);
    return rows.map((row) => toDerivedRow(row, sql));
  }
}
