#!/usr/bin/env node
import 'reflect-metadata';
import { program } from './program';

program(process.argv[1] ?? __filename)
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
