import { QueryFailedError } from 'typeorm';

/** What differs between the databases; everything else in this room is SQL that they share. */
export const sqlite = {
  begin: 'BEGIN IMMEDIATE',
  /** Case-sensitive, and no character of the searched text is special. */
  contains: (column: string) => `instr(${column}, ?) > 0`,
  columnType: { text: 'TEXT', integer: 'INTEGER', boolean: 'INTEGER' } as const,
  serialKey: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  columnsOf: (table: string) => `SELECT name FROM pragma_table_info('${table}')`,
  /** A unique index, a primary key or a trigger of the log refused a row. */
  isViolation: (error: unknown): boolean =>
    error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code === 'SQLITE_CONSTRAINT',
} as const;

/** Names are checked where they are declared; quotes keep SQL's own words usable as names. */
export const quoted = (name: string): string => `"${name}"`;
