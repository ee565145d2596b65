import type { Command } from 'commander';
import { addApiOption, type ApiOption, connectTo } from '../bare-metal';
import { EXIT_CODES_HELP, print, say } from '../command-line';
import { allEvents } from '../node-events';
import { painter, plainText, terminalOf } from '../screen';
import { untilSignal } from '../until-signal';
import { follow } from './follow';
import { daysText, eventLines } from './render';

interface Options extends ApiOption {
  readonly follow?: boolean;
  readonly json?: boolean;
}

const HELP = `
Examples:
  ferrolog events n1                 every event of the node n1
  ferrolog events n1 --follow        and those to come, until Ctrl-C
  ferrolog events n1 --json          {"node", "events": [...]}; with --follow one event per line
A removed node is found by its UUID.
${EXIT_CODES_HELP}`;

/** ferrolog events NODE: the node as it is kept, event by event. */
export function addEventsCommand(root: Command): void {
  const command = root
    .command('events')
    .argument('<node>', 'name or UUID')
    .description("A node's events: when, what, by whom.")
    .option('--follow', 'go on with what happens, until Ctrl-C')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action(showEvents);
  addApiOption(command);
}

async function showEvents(node: string, options: Options): Promise<void> {
  const api = await connectTo(options, process.env);
  const terminal = terminalOf(process.stdout, process.env);
  const look = { paint: painter(terminal.colour), width: terminal.width() };
  const tasks = new Map();
  const events = await allEvents(api, node);
  if (options.json) {
    if (options.follow) for (const event of events) print(JSON.stringify(event));
    else print(JSON.stringify({ node, events }));
  } else {
    print(look.paint('bold', `${plainText(node)}, ${daysText(events)}`));
    for (const line of eventLines(events, look, tasks)) print(line);
  }
  if (!options.follow) return;
  const stop = untilSignal();
  await follow({ api, node, after: events.at(-1)?.version ?? 0, stop: stop.asked, say }, (more) => {
    // The titles stand above already.
    const lines = options.json
      ? more.map((event) => JSON.stringify(event))
      : eventLines(more, { ...look, width: terminal.width() }, tasks).slice(1);
    for (const line of lines) print(line);
  });
}
