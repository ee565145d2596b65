import type { Connection } from './connections';
import { rollBack, type Writer } from './writer';

/** A file does not vanish between a commit and its answer: what fails was not stored. */
export function sqliteWriter({ sql, close }: Connection): Writer {
  return {
    async transaction(work) {
      try {
        await sql.query('BEGIN IMMEDIATE');
        const result = await work(sql);
        await sql.query('COMMIT');
        return result;
      } catch (error) {
        await rollBack(sql);
        throw error;
      }
    },
    close,
  };
}
