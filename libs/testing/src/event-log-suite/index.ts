/** One suite that every event log passes, with its read model, leases, liveness and key store. */
export { anEventLog } from './an-event-log';
export { suiteSchemas, type LogUnderTest, type OpenLog } from './log-under-test';
export { appending, expectIntactChains, foldOf, nodeChanges } from './appending';
export { expectNothingLost, keepWriting } from './killed-writer';
