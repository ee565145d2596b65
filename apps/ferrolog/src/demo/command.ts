import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { BareMetal } from '../bare-metal';
import { EXIT, print, say } from '../command-line';
import { counted, plainText, type Terminal, terminalOf } from '../screen';
import { interruptedBy, untilSignal } from '../until-signal';
import { readNodeList } from './node-list';
import { type Plan, planOf } from './plan';
import { goOnLines, historyLines, isAsScripted, reportDocument, storyOf, summaryLines } from './report';
import { runNodes } from './run';
import { type DemoStack, startDemoStack } from './stack';

interface Options {
  readonly file: string;
  readonly single?: boolean;
  readonly keep?: boolean;
  readonly json?: boolean;
}

/** Copied beside the compiled code. */
const OWN_LIST = join(__dirname, 'inventory', 'nodes.json');

const HELP = `
Examples:
  npm run demo
  ferrolog demo --single             all in one process, without a broker
  ferrolog demo --keep               the stack stays until Ctrl-C, to be asked
  ferrolog demo --file my-nodes.json your own list, as \`openstack baremetal create\` takes it (JSON).
                                     Its machines are simulated, their BMCs are left alone.
  ferrolog demo --json               the outcome as one JSON document
In the list: extra.simulator = {"script", "after", ...}, driver_info.inspect_wait_timeout, extra.demo = {"abort_after"}.
Exit codes: 0 every node ended as scripted, 1 one did not, or it could not run, 2 the command line is wrong.`;

/** ferrolog demo: a stack of its own, a rack of simulated machines, and how each of them ends. */
export function addDemoCommand(root: Command, entry: string): void {
  root
    .command('demo')
    .description('Show it: a stack of its own inspects a dozen simulated machines; under a minute.')
    .option('--single', 'all services in one process, without a broker')
    .option('--keep', 'leave the stack running until Ctrl-C')
    .addOption(new Option('--file <nodes.json>', 'another node list').default(OWN_LIST, 'a rack of its own'))
    .option('--json', 'print the outcome as one JSON document, and nothing else')
    .addHelpText('after', HELP)
    .action((options: Options) => demo(options, entry));
}

async function demo(options: Options, entry: string): Promise<void> {
  const plan = planOf(readNodeList(options.file));
  const terminal = options.json ? null : terminalOf(process.stdout, process.env);
  const stop = untilSignal();
  const interrupted = interruptedBy(stop.asked);
  const tell = (line: string): void => (terminal ? print(plainText(line)) : undefined);
  for (const note of plan.notes) tell(note);
  tell('Starting the stack ...');
  const stack = await startDemoStack({ single: options.single ?? false, entry, say: tell });
  let failed = false;
  try {
    interrupted.throwIfAborted();
    failed = !(await play(plan, stack, options, terminal, interrupted));
    if (failed) say(`The services' logs: ${stack.logFolder}`);
    if (options.keep) await stop.asked;
  } catch (error) {
    failed = !interrupted.aborted;
    if (failed) say(`The services' logs: ${stack.logFolder}`);
    throw error;
  } finally {
    if (failed) process.exitCode = EXIT.failed;
    tell('Stopping the stack ...');
    await stack.stop(failed);
  }
}

async function play(
  plan: Plan,
  stack: DemoStack,
  options: Options,
  terminal: Terminal | null,
  signal: AbortSignal,
): Promise<boolean> {
  const started = performance.now();
  const api = await BareMetal.connect({ url: stack.apiUrl });
  if (terminal)
    print(
      `${stack.single ? 'One process' : 'Four services over NATS'}, API at ${stack.apiUrl}. ${counted(plan.nodes.length, 'machine')} to be enrolled, managed and inspected.\n`,
    );
  const nodes = await runNodes({ api, inspectorUrl: stack.inspectorUrl, planned: plan.nodes, terminal, signal });
  const tookMs = performance.now() - started;
  if (!terminal) print(JSON.stringify(reportDocument(nodes, stack, tookMs)));
  else {
    const story = storyOf(nodes);
    const lines = [
      ...summaryLines(nodes, started, tookMs, terminal),
      ...(story ? await historyLines(api, story, terminal) : []),
      ...goOnLines(stack, nodes, options.keep ?? false, terminal),
    ];
    for (const line of lines) print(line);
  }
  return nodes.every(isAsScripted);
}
