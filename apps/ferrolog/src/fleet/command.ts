import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '@lib/adapters/system-clock';
import { scriptNames, type ScriptName } from '@lib/domain/introspection';
import { addApiOption, type ApiOption, type BareMetal, connectTo } from '../bare-metal';
import { EXIT, print, say, seconds, UsageError, wholeNumber } from '../command-line';
import { painter, terminalOf } from '../screen';
import { interruptedBy, untilSignal } from '../until-signal';
import { fleetOf } from './plan';
import { Progress } from './progress';
import { fleetDocument, fleetLines } from './report';
import { type FleetResult, removeFleet, runFleet } from './run';

interface Options extends ApiOption {
  readonly nodes: number;
  readonly concurrency: number;
  readonly weights: Readonly<Partial<Record<ScriptName, number>>>;
  readonly seed: string;
  readonly after: number;
  readonly timeout: number;
  readonly patience?: number;
  readonly driver: string;
  readonly inspectInterface: string;
  readonly cleanup?: boolean;
  readonly json?: boolean;
}

const WEIGHTS = 'succeed=8,error=1,never=1';
/** Longer than the minute after which a server asks its inspector by default: `[inspector] status_check_period`. */
const TIMEOUT_S = 90;

const HELP = `
Scripts: ${scriptNames.join(', ')}.
Examples:
  ferrolog fleet --nodes 100
  ferrolog fleet --nodes 500 --concurrency 100 --weights succeed=8,error=1,never=1 --seed 4711 --cleanup
  ferrolog fleet --api http://ironic.example:6385 --nodes 20 --timeout 0 --patience 2000
Another server needs the inspector-simulator as its inspector, and has one deadline for all nodes: give --patience.
A server asks its inspector once a minute ([inspector] status_check_period); a shorter --timeout can pass before that.
OS_TOKEN is sent as the token where one is needed.
Exit codes: 0 every node ended as its script says, 1 one did not, 2 the command line is wrong.`;

/** ferrolog fleet: simulated nodes against any endpoint. */
export function addFleetCommand(root: Command): void {
  const command = root
    .command('fleet')
    .description('Enroll, manage and inspect simulated nodes on any Bare Metal API, and watch how they end.')
    .option('--nodes <n>', 'how many', wholeNumber(1, 100_000), 20)
    .option('--concurrency <n>', 'how many at a time', wholeNumber(1, 1000), 50)
    .addOption(
      new Option('--weights <script=n,...>', 'which scripts, by weight')
        .argParser(weightsOf)
        .default(weightsOf(WEIGHTS), WEIGHTS),
    )
    .option('--seed <text>', 'the same seed deals the same scripts', 'ferrolog')
    .option('--after <seconds>', 'when a ramdisk posts its data', seconds(86_400), 1)
    .option('--timeout <seconds>', "each node's own deadline; 0: the server's", wholeNumber(0, 86_400), TIMEOUT_S)
    .option('--patience <seconds>', 'when a node counts as never ended (default: timeout + 60)', seconds(1_000_000))
    .option('--driver <name>', 'driver of the nodes', 'fake-hardware')
    .option('--inspect-interface <name>', 'their inspect interface', 'inspector')
    .option('--cleanup', 'remove the nodes at the end')
    .option('--json', 'print the outcome as one JSON document')
    .addHelpText('after', HELP)
    .action(fleet);
  addApiOption(command);
}

/** `succeed=8,never=1` */
export function weightsOf(text: string): Readonly<Partial<Record<ScriptName, number>>> {
  const pairs = text.split(',').map((part): [ScriptName, number] => {
    const [, name = '', weight = ''] = /^\s*([a-z-]+)=(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    const script = scriptNames.find((known) => known === name);
    if (!script)
      throw new InvalidArgumentError(`"${part}" is no script=weight; scripts are ${scriptNames.join(', ')}.`);
    return [script, Number(weight)];
  });
  if (!pairs.some(([, weight]) => weight > 0)) throw new InvalidArgumentError('One weight must be above 0.');
  return Object.fromEntries(pairs);
}

async function fleet(options: Options): Promise<void> {
  if (options.timeout === 0 && options.patience === undefined)
    throw new UsageError('--timeout 0 needs --patience SECONDS.');
  const api = await connectTo(options, process.env);
  const stop = untilSignal();
  const interrupted = interruptedBy(stop.asked);
  const started = performance.now();
  const tag = randomBytes(2).toString('hex');
  const results: FleetResult[] = [];
  try {
    await drive(api, tag, options, interrupted, results);
  } finally {
    if (interrupted.aborted)
      say(`${results.length} of ${options.nodes} nodes had ended; names begin with fleet-${tag}-`);
  }
  const tookMs = performance.now() - started;
  const uuids = results.flatMap(({ uuid }) => uuid ?? []);
  const left = options.cleanup ? await removeFleet(api, uuids) : [];
  const failed = left.length > 0 || results.some(({ differences }) => differences.length > 0);
  if (failed) process.exitCode = EXIT.failed;
  if (options.json) return print(JSON.stringify(fleetDocument(results, tookMs, left)));
  const terminal = terminalOf(process.stdout, process.env);
  const look = { paint: painter(terminal.colour), width: terminal.width() };
  for (const line of [...fleetLines(results, tookMs, look), ...left]) print(line);
  if (!options.cleanup) print(`The nodes stay; their names begin with fleet-${tag}-. --cleanup removes them.`);
}

async function drive(
  api: BareMetal,
  tag: string,
  options: Options,
  signal: AbortSignal,
  results: FleetResult[],
): Promise<void> {
  const nodes = fleetOf({ ...options, afterSeconds: options.after, timeoutSeconds: options.timeout, tag });
  const patienceMs = (options.patience ?? options.timeout + 60) * 1000;
  const progress = options.json
    ? null
    : new Progress(terminalOf(process.stderr, process.env), nodes.length, systemClock);
  const onResult = (result: FleetResult): void => {
    results.push(result);
    progress?.add(result);
  };
  try {
    await runFleet(api, nodes, { concurrency: options.concurrency, patienceMs, signal, onResult });
  } finally {
    progress?.close();
  }
}
