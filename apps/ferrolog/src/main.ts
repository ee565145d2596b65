#!/usr/bin/env node
import 'reflect-metadata';
import { endWithReader, exitCodeOf, say } from './command-line';
import { program } from './program';

endWithReader(process.stdout);
program(process.argv.slice(2), process.argv[1] ?? __filename)
  .then((line) => line.parseAsync(process.argv))
  .catch((error: unknown) => {
    process.exitCode = exitCodeOf(error, say);
  });
