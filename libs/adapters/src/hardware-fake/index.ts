export { fakeConsole, fakeManagementActs, fakeRaid, fakeVendor } from './fake-acting';
export { fakeBoot, noopNetwork } from './fake-boot';
export { fakeInspect } from './fake-inspect';
export type { InspectDelay } from './fake-inspect';
export { fakeDeploy, fakeRescue } from './fake-lifecycle';
export { fakeManagement } from './fake-management';
export { fakeParts } from './fake-parts';
export { fakePower } from './fake-power';
export { noopManagement } from './noop-management';
