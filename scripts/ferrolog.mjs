#!/usr/bin/env node
/** The command line: compiles when needed and hands its arguments on. */
import { compile, ensurePackages, main, mainProgram, requireNode, runInForeground } from './bootstrap/index.mjs';

await main(async (args) => {
  requireNode();
  await ensurePackages();
  await compile();
  return runInForeground(process.execPath, [mainProgram, ...args]);
});
