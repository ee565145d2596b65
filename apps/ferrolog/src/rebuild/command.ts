import type { Command } from 'commander';
import { openPostgresLog, openSqliteLog, type StoredLog } from '@lib/adapters/event-log-typeorm';
import { systemClock } from '@lib/adapters/system-clock';
import { documentSchemas } from '@lib/contracts';
import { rebuildReadModel } from '@lib/usecases/rebuild-read-model';
import { EXIT_CODES_HELP, print } from '../command-line';
import { logPlace, type LogPlace, ProgressLine } from '../log-pass';
import { terminalOf } from '../screen';

interface Options {
  readonly home?: string;
  readonly json?: boolean;
}

/** The swap is one transaction over all derived rows. */
const STATEMENT_MS_MAX = 3_600_000;

const HELP = `
Stop the stack first. Documents, unique keys, deadlines, effects, history, inventories, heads of streams and commands are
made from the events beside those that are there, and put in their place in one transaction. Events are never touched;
leases, the conductors' rows and the keys of secrets stay as they are.

Examples:
  ferrolog rebuild                     the log of this FERROLOG_HOME or DATABASE_URL
  ferrolog rebuild --home .ferrolog    the SQLite log under this state folder
  ferrolog rebuild --json              {"events", "streams", "rows"}
${EXIT_CODES_HELP}`;

const phases = { streams: 'Streams', commands: 'Commands', swap: 'Putting in place' } as const;

/** ferrolog rebuild: everything that derives from the events made anew. */
export function addRebuildCommand(root: Command): void {
  root
    .command('rebuild')
    .description('Make everything that derives from the log anew; the stack is stopped.')
    .option('--home <folder>', 'the SQLite log under this state folder')
    .option('--json', 'as one JSON document')
    .addHelpText('after', HELP)
    .action(rebuild);
}

async function rebuild({ home, json = false }: Options): Promise<void> {
  const place = logPlace(home, process.env);
  const line = new ProgressLine(terminalOf(process.stderr, process.env));
  const store = await openForRebuild(place);
  try {
    const { log: reader, derived, derivedRebuild } = store;
    const { events, streams, rows } = await rebuildReadModel(
      { reader, derived, rebuild: derivedRebuild, options: place.projection },
      ({ phase, events: done, of }) => line.show(phases[phase], done, of),
    );
    line.clear();
    print(
      json
        ? JSON.stringify({ events, streams, rows })
        : `${rows} rows made anew from ${events} events of ${streams} streams.`,
    );
  } finally {
    line.clear();
    await store.close();
  }
}

/** As its one writer: a SQLite log rejects here with a sentence when a conductor runs, PostgreSQL when it begins. */
function openForRebuild({ home, databaseUrl: url }: LogPlace): Promise<StoredLog> {
  const options = { schemas: documentSchemas, clock: systemClock };
  if (url === null) return openSqliteLog({ ...options, home, lockWaitMs: 0 });
  return openPostgresLog({ ...options, url, times: { statementMs: STATEMENT_MS_MAX } });
}
