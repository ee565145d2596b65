import { Command } from 'commander';
import { addDemoCommand } from './demo';
import { addEventsCommand } from './events';
import { addFleetCommand } from './fleet';
import { addRebuildCommand } from './rebuild';
import { addReplayCommand } from './replay';
import { addServiceCommand } from './service-command';
import { addUpCommand } from './up-command';
import { addVerifyCommand } from './verify';

/** The command line; `entry` is the file that services are forked from. */
export function program(entry: string): Command {
  const root = new Command('ferrolog')
    .description(
      'A bare-metal conductor that speaks the OpenStack Bare Metal API and keeps every node as an event log.',
    )
    .showHelpAfterError('--help shows how it is called.')
    .exitOverride();
  addUpCommand(root, entry);
  addDemoCommand(root, entry);
  addEventsCommand(root);
  addReplayCommand(root);
  addFleetCommand(root);
  addVerifyCommand(root);
  addRebuildCommand(root);
  addServiceCommand(root);
  return root;
}
