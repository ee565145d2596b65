/** npm run build: packages, then one compile into dist/. */
import { compile, ensurePackages, main, readArguments, requireNode } from './bootstrap/index.mjs';

await main(async (args) => {
  const read = readArguments(args, {
    usage: 'npm run build [-- --json]',
    about: 'Installs the packages that are missing and compiles the project into dist/, if anything changed.',
    options: { json: { help: 'Print {"compiled": true|false}.' } },
  });
  if (!read) return 0;
  requireNode();
  await ensurePackages();
  const compiled = await compile();
  const text = compiled ? 'Compiled into dist/' : 'dist/ is up to date';
  process.stdout.write(`${read.values.json ? JSON.stringify({ compiled }) : text}\n`);
  return 0;
});
