/** A writer for killed-writer.spec.ts to kill: `node killed-writer.child.mjs PLACE RUN`, one acknowledged command id a line. */
import { writeSync } from 'node:fs';
import { load } from '../../../../scripts/docs/load-typescript.mjs';

const [place, run] = process.argv.slice(2);
const { openPostgresLog, openSqliteLog } = load('@lib/adapters/event-log-typeorm');
const { keepWriting, suiteSchemas } = load('@lib/testing/event-log-suite');

const options = { schemas: suiteSchemas, clock: Date, readers: 1 };
const { log } = place.startsWith('postgres://')
  ? await openPostgresLog({ ...options, url: place })
  : await openSqliteLog({ ...options, home: place, lockWaitMs: 0 });
await keepWriting(log, run, (commandId) => writeSync(1, `${commandId}\n`));
