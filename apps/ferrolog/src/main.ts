#!/usr/bin/env node
import 'reflect-metadata';
import type { Command } from 'commander';
import { endWithReader, exitCodeOf, say } from './command-line';

async function commandLine(): Promise<Command> {
  if (process.argv[2] === 'service') return (await import('./service-program')).serviceProgram();
  return (await import('./program')).program(process.argv[1] ?? __filename);
}

endWithReader(process.stdout);
commandLine()
  .then((line) => line.parseAsync(process.argv))
  .catch((error: unknown) => {
    process.exitCode = exitCodeOf(error, say);
  });
