import { CommanderError } from 'commander';

/** What every command answers the shell with. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export const EXIT_CODES_HELP = 'Exit codes: 0 done, 1 failed, 2 the command line is wrong.';

/** The command line asks for something that does not exist: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * The exit code for what a command threw, after saying why on standard error. The parser of the command line has said it
 * already, and asks for help with an error of code 0.
 */
export function exitCodeOf(error: unknown, say: (line: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  say(error instanceof Error ? error.message : String(error));
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
