/** Lets a generator read the project's own TypeScript, aliases included, without a build. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const require = createRequire(join(root, 'package.json'));
const Module = require('node:module');
const { transformSync } = require('@swc/core');

const compiler = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

Module._extensions['.ts'] = (module, filename) => {
  module._compile(transformSync(readFileSync(filename, 'utf8'), { ...compiler, filename }).code, filename);
};

const aliases = Object.entries(JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions.paths).map(
  ([alias, [target]]) => ({ prefix: alias.replace('*', ''), open: alias.endsWith('*'), target: join(root, target) }),
);

function unalias(request) {
  const exact = aliases.find(({ prefix, open }) => !open && request === prefix);
  if (exact) return exact.target;
  const found = aliases.find(({ prefix, open }) => open && request.startsWith(prefix));
  return found ? found.target.replace('*', request.slice(found.prefix.length)) : request;
}

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => resolveFilename(unalias(request), ...rest);

/** `load('@lib/domain/states')` answers that module's exports. */
export const load = (request) => require(unalias(request));
