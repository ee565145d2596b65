import { randomUUID } from 'node:crypto';
import { DataSource, type QueryRunner } from 'typeorm';

export type Value = string | number | null;

/** Rows of one table that a command writes. `{id}` in a text stands for the command's own id, `POSITION` for its place. */
export interface RowsOfTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Stands for the next number of a table that counts them. */
export const POSITION = '{position}';
const BATCH_MAX = 500;
const ROWS_PER_INSERT = 100;

/** The bare part: raw multi-row INSERTs through TypeORM, synchronous FULL, WAL; all that waits in one transaction. */
export class GroupCommits {
  private waiting: (() => void)[] = [];
  private running = false;
  private position = 0;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly templates: readonly RowsOfTable[],
  ) {}

  static async open(database: string, templates: readonly RowsOfTable[]): Promise<GroupCommits> {
    const source = new DataSource({ type: 'sqlite', database, enableWAL: true });
    await source.initialize();
    const runner = source.createQueryRunner();
    await runner.query('PRAGMA synchronous = 2');
    const commits = new GroupCommits(runner, templates);
    const [head] = (await runner.query('SELECT coalesce(max(position), 0) AS head FROM events')) as { head: number }[];
    commits.position = head?.head ?? 0;
    return commits;
  }

  commit(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (!this.running) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.running = true;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_MAX);
      await this.runner.query('BEGIN IMMEDIATE');
      await this.write(batch.length);
      await this.runner.query('COMMIT');
      for (const done of batch) done();
    }
    this.running = false;
  }

  private async write(commands: number): Promise<void> {
    const ids = Array.from({ length: commands }, () => randomUUID());
    for (const { table, columns, rows } of this.templates) {
      const filled = ids.flatMap((id) => rows.map((row) => row.map((value) => this.filled(value, id))));
      for (let from = 0; from < filled.length; from += ROWS_PER_INSERT) {
        const chunk = filled.slice(from, from + ROWS_PER_INSERT);
        const marks = chunk.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
        await this.runner.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${marks}`, chunk.flat());
      }
    }
  }

  private filled(value: Value, id: string): Value {
    if (value === POSITION) {
      this.position += 1;
      return this.position;
    }
    return typeof value === 'string' ? value.replaceAll('{id}', id) : value;
  }
}
