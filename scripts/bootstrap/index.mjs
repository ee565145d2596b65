/** What stands between a bare clone and a running program: Node's own modules only, since nothing is installed yet. */
export { readArguments, wholeNumber } from './arguments.mjs';
export { findBroker } from './broker.mjs';
export { runInForeground } from './child.mjs';
export { compile, mainProgram } from './compile.mjs';
export { requireNode } from './node-version.mjs';
export { ensurePackages } from './packages.mjs';
export { main, Problem } from './problem.mjs';
export { root } from './root.mjs';
