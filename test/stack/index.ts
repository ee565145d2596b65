/** Starts and stops whole stacks, real processes and all, for the tests under test/. */
export { Api, type ShownEvent, type ShownNode } from './api';
export { ensureBuilt, MAIN, REPOSITORY } from './build';
export { Child, type Exit } from './child';
export { freePorts } from './free-ports';
export { httpCall, type Answer, type Call } from './http-call';
export {
  discard,
  enroll,
  inspect,
  inspectorState,
  inspectorWaits,
  macOf,
  ramdiskReport,
  type MachineOptions,
} from './machine';
export { mergeSettings, toIni, type Settings } from './settings';
export {
  startStack,
  SERVICES,
  type Instance,
  type Layout,
  type Service,
  type Stack,
  type StackOptions,
  type Stopped,
} from './stack';
export { Hopeless, sleep, until, type Patience } from './until';
