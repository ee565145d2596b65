/** Numbers of the locks in PostgreSQL, which knows them per database: `ferl` and `ferm` read as big-endian integers. */
export const APPEND_LOCK = 0x6665726c;
export const MIGRATION_LOCK = 0x6665726d;
