/** npm run build: packages, then one compile into dist/. */
import { compile, ensurePackages, main, requireNode } from './bootstrap/index.mjs';

await main(async () => {
  requireNode();
  await ensurePackages();
  process.stdout.write((await compile()) ? 'Compiled into dist/\n' : 'dist/ is up to date\n');
});
