/** Starts and stops whole stacks, real processes and all, for the tests under test/. */
export { ensureBuilt, MAIN, REPOSITORY } from './build';
export { Child, type Exit } from './child';
export { freePorts } from './free-ports';
export { httpCall, type Answer, type Call } from './http-call';
export { mergeSettings, toIni, type Settings } from './settings';
export { startStack, SERVICES, type Layout, type Service, type Stack, type StackOptions, type Stopped } from './stack';
export { Hopeless, sleep, until, type Patience } from './until';
