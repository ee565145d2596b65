export { postgresFolder, startPostgres, describeWithPostgres, type ScratchPostgres } from './scratch-postgres';
