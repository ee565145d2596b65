import type { Command } from 'commander';
import { addDeadlineCommand } from './deadline';
import { addDemoCommand } from './demo';
import { addEventsCommand } from './events';
import { addFleetCommand } from './fleet';
import { addRebuildCommand } from './rebuild';
import { addReplayCommand } from './replay';
import { rootCommand } from './root-command';
import { addServiceCommand } from './service-command';
import { addUpCommand } from './up-command';
import { addVerifyCommand } from './verify';

/** The command line; `entry` is the file that services are forked from. */
export function program(entry: string): Command {
  const root = rootCommand();
  addUpCommand(root, entry);
  addDemoCommand(root, entry);
  addEventsCommand(root);
  addReplayCommand(root);
  addDeadlineCommand(root);
  addFleetCommand(root);
  addVerifyCommand(root);
  addRebuildCommand(root);
  addServiceCommand(root);
  return root;
}
