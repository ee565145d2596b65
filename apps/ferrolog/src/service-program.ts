import type { Command } from 'commander';
import { rootCommand } from './root-command';
import { addServiceCommand } from './service-command';

/** What runs for as long as the stack does: of all commands only its own is loaded, and stays in memory. */
export function serviceProgram(): Command {
  const root = rootCommand();
  addServiceCommand(root);
  return root;
}
