import type { Command } from 'commander';
import { rootCommand } from './root-command';

/** Adds a command to the line; `entry` is the file that services are forked from. */
type AddCommand = (root: Command, entry: string) => void;

/** In the order of the help. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  up: async () => (await import('./up-command')).addUpCommand,
  demo: async () => (await import('./demo')).addDemoCommand,
  events: async () => (await import('./events')).addEventsCommand,
  replay: async () => (await import('./replay')).addReplayCommand,
  deadline: async () => (await import('./deadline')).addDeadlineCommand,
  fleet: async () => (await import('./fleet')).addFleetCommand,
  verify: async () => (await import('./verify')).addVerifyCommand,
  rebuild: async () => (await import('./rebuild')).addRebuildCommand,
  service: async () => (await import('./service-command')).addServiceCommand,
};

/**
 * The command line as far as `args` needs it: of a command that is named, only its own, since some run for as long as the stack does
 * and what was loaded stays in memory; else all of them, for the help.
 */
export async function program(args: readonly string[], entry: string): Promise<Command> {
  const named = Object.entries(commands).filter(([name]) => name === args[0]);
  const root = rootCommand();
  for (const [, load] of named.length > 0 ? named : Object.entries(commands)) (await load())(root, entry);
  return root;
}
