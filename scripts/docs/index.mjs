/**
 * Writes the generated pages under docs/: every `*.generator.mjs` beside this file exports `files(load)`, which answers
 * { path: text }. With --check nothing is written: exit code 1, naming each page that differs from what would be written.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load, root } from './load-typescript.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const check = process.argv.includes('--check');
const stale = [];

for (const name of readdirSync(here).sort()) {
  if (!name.endsWith('.generator.mjs')) continue;
  const { files } = await import(pathToFileURL(join(here, name)));
  for (const [path, text] of Object.entries(await files(load))) {
    const target = join(root, path);
    if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
    if (check) stale.push(path);
    else {
      writeFileSync(target, text);
      console.log(`wrote ${path}`);
    }
  }
}

for (const path of stale) console.error(`${path} is stale: run \`npm run docs\` and commit the result`);
if (stale.length > 0) process.exitCode = 1;
