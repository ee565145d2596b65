import { type Command, Option } from 'commander';
import { addApiOption, type ApiOption, connectTo } from '../bare-metal';
import { EXIT_CODES_HELP, print, seconds, timeWithZone, UsageError } from '../command-line';
import { deadlineLines } from './render';

interface Options extends ApiOption {
  readonly extend?: number;
  readonly until?: string;
  readonly pause?: boolean;
  readonly resume?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

/** As long as a deadline may be away. */
const EXTEND_S_MAX = 315_360_000;

const HELP = `
Examples:
  ferrolog deadline n1                                     how long it waits
  ferrolog deadline n1 --extend 600 --reason "slow disks"  ten minutes more
  ferrolog deadline n1 --until 2026-12-01T08:00:00Z        until then
  ferrolog deadline n1 --pause                             its time stands still
  ferrolog deadline n1 --resume                            and runs on
${EXIT_CODES_HELP}`;

/** ferrolog deadline NODE */
export function addDeadlineCommand(root: Command): void {
  const command = root
    .command('deadline')
    .argument('<node>', 'name or UUID')
    .description('Show, extend, pause or resume the deadline that a node waits under.')
    .addOption(
      exclusive(new Option('--extend <seconds>', 'later by so much').argParser(seconds(EXTEND_S_MAX)), 'extend'),
    )
    .addOption(exclusive(new Option('--until <time>', 'ISO 8601, with its zone').argParser(timeWithZone), 'until'))
    .addOption(exclusive(new Option('--pause', 'let its time stand still'), 'pause'))
    .addOption(exclusive(new Option('--resume', 'let it run on'), 'resume'))
    .option('--reason <text>', 'kept with the change')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action(deadline);
  addApiOption(command);
}

const changes = ['extend', 'until', 'pause', 'resume'] as const;

const exclusive = (option: Option, name: (typeof changes)[number]): Option =>
  option.conflicts(changes.filter((one) => one !== name));

async function deadline(node: string, options: Options): Promise<void> {
  const change = changeIn(options);
  const api = await connectTo(options, process.env);
  const shown = change ? await api.changeDeadline(node, change) : await api.deadline(node);
  if (options.json) print(JSON.stringify({ node, deadline: shown }));
  else for (const line of deadlineLines(node, shown)) print(line);
}

/** The body of the request; null: only a look. */
function changeIn({ extend, until, pause, resume, reason }: Options): object | null {
  const why = reason === undefined ? {} : { reason };
  if (extend !== undefined) return { extend_seconds: extend, ...why };
  if (until !== undefined) return { due_at: until, ...why };
  if (pause || resume) return { paused: pause === true, ...why };
  if (reason !== undefined) throw new UsageError('--reason goes with --extend, --until, --pause or --resume.');
  return null;
}
