/** A writer for killed-writer.spec.ts to kill: `node killed-writer.child.mjs HOME RUN`, one acknowledged command id a line. */
import { writeSync } from 'node:fs';
import { load } from '../../../../scripts/docs/load-typescript.mjs';

const [home, run] = process.argv.slice(2);
const { openSqliteLog } = load('@lib/adapters/event-log-typeorm');
const { keepWriting, suiteSchemas } = load('@lib/testing/event-log-suite');

const { log } = await openSqliteLog({ home, schemas: suiteSchemas, clock: Date, readers: 1, lockWaitMs: 0 });
await keepWriting(log, run, (commandId) => writeSync(1, `${commandId}\n`));
