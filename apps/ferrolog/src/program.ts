import { Command } from 'commander';
import { addServiceCommand } from './service-command';
import { addUpCommand } from './up-command';

/** The command line; `entry` is the file that services are forked from. */
export function program(entry: string): Command {
  const root = new Command('ferrolog')
    .description(
      'A bare-metal conductor that speaks the OpenStack Bare Metal API and keeps every node as an event log.',
    )
    .showHelpAfterError();
  addUpCommand(root, entry);
  addServiceCommand(root);
  return root;
}
