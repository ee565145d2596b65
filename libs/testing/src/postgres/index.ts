/** A PostgreSQL for tests: started, killed, started again and thrown away. */
export { CuttingProxy, type Cut } from './cutting-proxy';
export { COMMIT, DatabaseProxy } from './database-proxy';
export { describeWithPostgres, postgresFolder, startPostgres, type ScratchPostgres } from './scratch-postgres';
