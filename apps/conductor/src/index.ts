export { enabledInterfaces, projectionOptions } from './options';
export { startConductor } from './start-conductor';
export type { Conductor, ConductorDeps } from './start-conductor';
