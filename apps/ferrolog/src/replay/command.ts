import type { Command } from 'commander';
import { addApiOption, type ApiOption, connectTo } from '../bare-metal';
import { EXIT_CODES_HELP, print, UsageError } from '../command-line';
import { allEvents, eventsFromHome, type ShownEvent } from '../node-events';
import { painter, terminalOf } from '../screen';
import { replayLines } from './render';
import { eventsUpTo, type Step, stepsOf, type Until, untilOf } from './steps';

interface Options extends ApiOption {
  readonly to?: Until;
  readonly home?: string;
  readonly json?: boolean;
}

const HELP = `
Examples:
  ferrolog replay n1                              state after each event, with the difference
  ferrolog replay n1 --to 7                       up to version 7
  ferrolog replay n1 --to 2026-11-30T12:00:00Z    as of a time (UTC unless it says otherwise)
  ferrolog replay n1 --home .ferrolog             from the log itself; the stack may be stopped
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
    .option('--home <folder>', 'read the log under this state folder instead of asking the API')
    .option('--json', 'as one JSON document')
    .addHelpText('after', HELP)
    .action(replay);
  addApiOption(command);
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
  if (options.home === undefined) return allEvents(await connectTo(options, process.env), node);
  if (options.api !== undefined) throw new UsageError('--api and --home exclude each other.');
  return eventsFromHome(options.home, node);
}

const shownStep = ({ event, state, difference, known }: Step): object => ({
  version: event.version,
  type: event.type,
  recorded_at: event.recorded_at,
  known,
  difference,
  state,
});
