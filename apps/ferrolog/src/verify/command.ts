import type { Command } from 'commander';
import { type Difference, verifyLog } from '@lib/usecases/verify-log';
import { EXIT, print } from '../command-line';
import { logPlace, ProgressLine } from '../log-pass';
import { plainText, terminalOf } from '../screen';
import { openReader } from '../services/store';

interface Options {
  readonly home?: string;
  readonly json?: boolean;
}

/** A log that differs everywhere is not told in full. */
const TOLD_MAX = 1000;
const READY_WAIT_MS = 0;

const HELP = `
It reads the whole log twice, changes nothing, and may run beside the stack. Compared are the order of the log, every
stream's versions and hashes, blobs, and what derives from the events: documents, unique keys, deadlines, effects,
history, inventories, heads of streams and commands. The settings in force decide how much of errors and history is kept.

Examples:
  ferrolog verify                     the log of this FERROLOG_HOME or DATABASE_URL
  ferrolog verify --home .ferrolog    the SQLite log under this state folder
  ferrolog verify --json              {"clean", "events", "streams", "differences": [{"what", "where", "expected", "found"}], "total"}
Differences in derived rows are mended by "ferrolog rebuild"; those in events are not.
Exit codes: 0 clean, 1 there are differences or the log cannot be read, 2 the command line is wrong.`;

const phases = { order: 'Order', streams: 'Streams', keys: 'Unique keys' } as const;

/** ferrolog verify: whether the log and all that derives from it agree. */
export function addVerifyCommand(root: Command): void {
  root
    .command('verify')
    .description('Fold the whole log and compare it with its hashes and with everything that derives from it.')
    .option('--home <folder>', 'the SQLite log under this state folder')
    .option('--json', 'as one JSON document')
    .addHelpText('after', HELP)
    .action(verify);
}

async function verify({ home, json = false }: Options): Promise<void> {
  const place = logPlace(home, process.env);
  const store = await openReader(place, READY_WAIT_MS);
  const line = new ProgressLine(terminalOf(process.stderr, process.env));
  const told: Difference[] = [];
  try {
    const { reader, derived } = store;
    const verified = await verifyLog(
      { reader, derived, options: place.projection },
      {
        onProgress: ({ phase, events, of }) => line.show(phases[phase], events, of),
        onDifference: (difference) => {
          if (told.length >= TOLD_MAX) return;
          told.push(difference);
          if (json) return;
          line.clear();
          print(differenceLine(difference));
        },
      },
    );
    line.clear();
    const { events, streams, differences: total } = verified;
    if (json) print(JSON.stringify({ clean: total === 0, events, streams, differences: told, total }));
    else print(summary(events, streams, total));
    process.exitCode = total === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    line.clear();
    await store.close();
  }
}

export const differenceLine = ({ what, where, expected, found }: Difference): string =>
  plainText(`${what}: ${where}: expected ${expected ?? 'nothing'}, found ${found ?? 'nothing'}`);

export function summary(events: number, streams: number, total: number): string {
  const read = `${events} events of ${streams} streams`;
  if (total === 0) return `${read}: clean.`;
  const rest = total > TOLD_MAX ? `, the first ${TOLD_MAX} of them above` : '';
  return `${read}: ${total} difference${total === 1 ? '' : 's'}${rest}.`;
}
