import type { Command } from 'commander';
import { EXIT_CODES_HELP, print, say } from '../command-line';
import { addSourceOptions, openSource, type SourceOptions } from '../event-source';
import { allEvents, type LogPages } from '../node-events';
import { painter, plainText, terminalOf } from '../screen';
import { untilSignal } from '../until-signal';
import { follow } from './follow';
import { daysText, eventLines } from './render';

interface Options extends SourceOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
}

const HELP = `
Examples:
  ferrolog events n1                 every event of the node n1
  ferrolog events n1 --follow        and those to come, until Ctrl-C
  ferrolog events n1 --json          {"node", "events": [...]}; with --follow one event per line
  ferrolog events n1 --log           from the log of this FERROLOG_HOME or DATABASE_URL; the stack may be stopped
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
  addSourceOptions(command);
}

async function showEvents(node: string, options: Options): Promise<void> {
  const source = await openSource(options, process.env);
  try {
    await showFrom(source, node, options);
  } finally {
    await source.close();
  }
}

async function showFrom(source: LogPages, node: string, options: Options): Promise<void> {
  const terminal = terminalOf(process.stdout, process.env);
  const look = { paint: painter(terminal.colour), width: terminal.width() };
  const tasks = new Map();
  const events = await allEvents(source, node);
  if (options.json) {
    if (options.follow) for (const event of events) print(JSON.stringify(event));
    else print(JSON.stringify({ node, events }));
  } else {
    print(look.paint('bold', `${plainText(node)}, ${daysText(events)}`));
    for (const line of eventLines(events, look, tasks)) print(line);
  }
  if (!options.follow) return;
  const stop = untilSignal();
  await follow({ source, node, after: events.at(-1)?.version ?? 0, stop: stop.asked, say }, (more) => {
    // The titles stand above already.
    const lines = options.json
      ? more.map((event) => JSON.stringify(event))
      : eventLines(more, { ...look, width: terminal.width() }, tasks).slice(1);
    for (const line of lines) print(line);
  });
}
