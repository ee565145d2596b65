import type { Command } from 'commander';
import { EXIT_CODES_HELP } from './command-line';
import { untilSignal } from './until-signal';
import { up } from './up/up';
import type { RunningStack } from './up/running-stack';

const HELP = `
Examples:
  ferrolog up                        over NATS_URL, or a nats-server that is started with it
  ferrolog up --single               without a broker
  FERROLOG_CONFIG=ferrolog.conf FERROLOG_API_PORT=6385 ferrolog up
Every setting: docs/configuration.md.
${EXIT_CODES_HELP}`;

/** The stack until Ctrl-C. */
export function addUpCommand(root: Command, entry: string): void {
  root
    .command('up')
    .description('Start the stack and keep it running until Ctrl-C; a service that dies is started again.')
    .option('--single', 'all services in one process, without a broker')
    .option('--json', 'print the addresses as one JSON line')
    .addHelpText('after', HELP)
    .action(async ({ single = false, json = false }: { single?: boolean; json?: boolean }) => {
      const stop = untilSignal();
      const say = (line: string): void => void process.stderr.write(`${line}\n`);
      const stack = await up({ single, entry, env: process.env, say, asked: stop.asked });
      process.stdout.write(json ? `${JSON.stringify(addresses(stack))}\n` : welcome(stack));
      const failure = await Promise.race([stop.asked, ...(stack.failed ? [stack.failed] : [])]);
      say('stopping');
      await stack.stop();
      if (failure !== undefined) throw new Error('The stack has failed; its reason is above.');
    });
}

const addresses = ({ apiUrl, inspectorUrl, natsUrl }: RunningStack) => ({
  api: apiUrl,
  inspector: inspectorUrl,
  nats: natsUrl,
});

function welcome({ apiUrl, inspectorUrl, natsUrl }: RunningStack): string {
  const lines = [
    'ferrolog is up. Ctrl-C stops it.',
    ...(apiUrl ? [`  Bare Metal API   ${apiUrl}`] : []),
    ...(inspectorUrl ? [`  inspector        ${inspectorUrl}`] : []),
    ...(natsUrl
      ? [`  broker           ${natsUrl.replace(/\/\/[^@/]*@/, '//***@')}`]
      : ['  bus              in process']),
    ...(apiUrl ? [`Try: OS_AUTH_TYPE=none OS_ENDPOINT=${apiUrl} openstack baremetal node list`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
