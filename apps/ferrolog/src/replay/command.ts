import type { Command } from 'commander';
import { EXIT_CODES_HELP, print } from '../command-line';
import { addSourceOptions, openSource, type SourceOptions } from '../event-source';
import { allEvents, type ShownEvent } from '../node-events';
import { painter, terminalOf } from '../screen';
import { replayLines } from './render';
import { eventsUpTo, type Step, stepsOf, type Until, untilOf } from './steps';

interface Options extends SourceOptions {
  readonly to?: Until;
  readonly json?: boolean;
}

const HELP = `
Examples:
  ferrolog replay n1                              state after each event, with the difference
  ferrolog replay n1 --to 7                       up to version 7
  ferrolog replay n1 --to 2026-11-30T12:00:00Z    as of a time (UTC unless it says otherwise)
  ferrolog replay n1 --home .ferrolog             from the SQLite log there; the stack may be stopped
  ferrolog replay n1 --log                        from the log of this FERROLOG_HOME or DATABASE_URL
  ferrolog replay n1 --json                       {"node", "steps": [{"version", "state", "difference"}], "state"}
A removed node is found by its UUID. Secrets read ******.
${EXIT_CODES_HELP}`;

/** ferrolog replay NODE: the state after each event. */
export function addReplayCommand(root: Command): void {
  const command = root
    .command('replay')
    .argument('<node>', 'name or UUID')
    .description("A node's state after each of its events, with the difference.")
    .option('--to <version|time>', 'stop there', untilOf)
    .option('--json', 'as one JSON document')
    .addHelpText('after', HELP)
    .action(replay);
  addSourceOptions(command);
}

async function replay(node: string, options: Options): Promise<void> {
  const events = eventsUpTo(await eventsOf(node, options), options.to);
  const steps = stepsOf(events);
  if (options.json)
    return print(JSON.stringify({ node, steps: steps.map(shownStep), state: steps.at(-1)?.state ?? null }));
  const terminal = terminalOf(process.stdout, process.env);
  for (const line of replayLines(steps, painter(terminal.colour))) print(line);
}

async function eventsOf(node: string, options: Options): Promise<readonly ShownEvent[]> {
  const source = await openSource(options, process.env);
  try {
    return await allEvents(source, node);
  } finally {
    await source.close();
  }
}

const shownStep = ({ event, state, difference, known }: Step): object => ({
  version: event.version,
  type: event.type,
  recorded_at: event.recorded_at,
  known,
  difference,
  state,
});
