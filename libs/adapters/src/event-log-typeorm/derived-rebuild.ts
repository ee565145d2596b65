import type { SchemaIndex } from '@lib/adapters/event-log-batch';
import type { DerivedTable, DerivedTablesRebuild, RebuiltRow } from '@lib/ports';
import { allTables, selected, sqlTable, type SqlTable } from './derived-columns';
import { postgres, quoted } from './dialect';
import { toColumn } from './scalars';
import { writeRows, type Sql } from './sql';
import type { WriteQueue } from './write-queue';

/** Where a table is made anew; it has no index, it is written and read once. */
const beside = ({ name }: SqlTable): string => quoted(`rebuilt_${name.replaceAll('"', '')}`);

/** Made anew through the append queue: a small transaction for each batch of rows, one for the swap. */
export class TypeormDerivedRebuild implements DerivedTablesRebuild {
  private readonly tables: readonly SqlTable[];

  constructor(
    private readonly queue: WriteQueue,
    private readonly schemas: SchemaIndex,
  ) {
    this.tables = allTables(schemas).map((table) => sqlTable(table, schemas));
  }

  begin(): Promise<void> {
    return this.queue.work(async (sql) => {
      await assertAlone(sql);
      await this.drop(sql);
      for (const table of this.tables) await sql.query(createBeside(table, sql));
    });
  }

  add(rows: readonly RebuiltRow[]): Promise<void> {
    return this.queue.work(async (sql) => {
      for (const [table, ofTable] of byTable(rows)) await insertBeside(sql, sqlTable(table, this.schemas), ofTable);
    });
  }

  swap(head: number): Promise<void> {
    return this.queue.work(async (sql) => {
      const [row] = await sql.query('SELECT max(position) AS head FROM events');
      if (Number(row?.['head'] ?? 0) !== head) {
        throw new Error('The log has grown meanwhile: another process writes it; stop it first. Nothing was changed.');
      }
      for (const statement of SAVE_LEASES) await sql.query(statement);
      for (const table of this.tables) await moveIn(sql, table);
      await sql.run(KEEP_LEASES);
      await this.drop(sql);
    });
  }

  discard(): Promise<void> {
    return this.queue.work((sql) => this.drop(sql));
  }

  private async drop(sql: Sql): Promise<void> {
    for (const table of this.tables) await sql.query(`DROP TABLE IF EXISTS ${beside(table)}`);
    await sql.query('DROP TABLE IF EXISTS rebuilt_leases');
  }
}

/** With an index: each of many thousand open effects is looked up. An effect that nobody ever claimed has nothing to keep. */
const SAVE_LEASES = [
  'CREATE TABLE rebuilt_leases AS SELECT stream_id, n, claim, owner, leased_until FROM effects WHERE claim > 0',
  'CREATE INDEX rebuilt_leases_of ON rebuilt_leases (stream_id, n)',
];

const ofSameEffect = 'FROM rebuilt_leases AS was WHERE was.stream_id = effects.stream_id AND was.n = effects.n';

/** A claim only ever grows: an outcome of before must not pass for one of after. */
const KEEP_LEASES = `UPDATE effects SET
    claim = (SELECT was.claim ${ofSameEffect}),
    owner = (SELECT was.owner ${ofSameEffect}),
    leased_until = (SELECT was.leased_until ${ofSameEffect})
  WHERE EXISTS (SELECT 1 ${ofSameEffect})`;

function createBeside({ columns, ...table }: SqlTable, { dialect }: Sql): string {
  const typed = columns.map(([name, type]) => `${quoted(name)} ${dialect.columnType[type]}`);
  const order = `at_position ${dialect.integer} NOT NULL, at_index ${dialect.integer} NOT NULL`;
  return `CREATE TABLE ${beside({ columns, ...table })} (${typed.join(', ')}, ${order})`;
}

async function insertBeside(sql: Sql, table: SqlTable, rows: readonly RebuiltRow[]): Promise<void> {
  await writeRows(
    sql,
    `INSERT INTO ${beside(table)} (${selected(table)}, at_position, at_index)`,
    rows.map(({ row, position, index }) => [...table.columns.map(([name]) => toColumn(row[name])), position, index]),
  );
}

/** The database counts on from where it was: a creation order is never given twice. */
async function moveIn(sql: Sql, table: SqlTable): Promise<void> {
  const names = selected(table);
  await sql.run(`DELETE FROM ${table.name}`);
  await sql.run(
    `INSERT INTO ${table.name} (${names}) SELECT ${names} FROM ${beside(table)} ORDER BY at_position, at_index`,
  );
}

function byTable(rows: readonly RebuiltRow[]): Iterable<readonly [DerivedTable, readonly RebuiltRow[]]> {
  const groups = new Map<string, [DerivedTable, RebuiltRow[]]>();
  for (const row of rows) {
    const key = JSON.stringify(row.table);
    const group = groups.get(key) ?? [row.table, []];
    group[1].push(row);
    groups.set(key, group);
  }
  return groups.values();
}

/** A file has its lock; a database server tells who is connected as a writer. */
async function assertAlone(sql: Sql): Promise<void> {
  if (sql.dialect !== postgres) return;
  const others = await sql.query(
    `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'ferrolog writer' AND pid <> pg_backend_pid()`,
  );
  if (others.length > 0) {
    throw new Error('Another process writes a log in this database (a conductor runs); stop the stack first.');
  }
}
