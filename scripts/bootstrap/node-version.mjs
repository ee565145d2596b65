import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';
import { root } from './root.mjs';

/** Stops with a sentence when this Node is older than `engines` in package.json asks for. */
export function requireNode(version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const least = engines.node.replace('>=', '');
  if (isOlder(version, least)) {
    throw new Problem(
      `ferrolog needs Node ${least} or newer, this is ${version}: install a newer one from https://nodejs.org`,
    );
  }
}

function isOlder(version, least) {
  const have = version.split('.').map(Number);
  for (const [index, wanted] of least.split('.').map(Number).entries()) {
    if ((have[index] ?? 0) !== wanted) return (have[index] ?? 0) < wanted;
  }
  return false;
}
