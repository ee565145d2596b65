/**
 * What every event log does alike, whatever stores it: is an append well formed, who in a batch wins, what the winners'
 * events look like. Pure; the logs hand in what they looked up and write what comes out.
 */
export { assertWellFormed, schemaIndex, columnType, type SchemaIndex, type ColumnType } from './append-shape';
export { judge, admit, effectKey, keyOf, type BatchView, type StreamHead, type Admitted } from './judge';
export { remaining } from './remaining';
export { lastWords, type KeyWord } from './key-words';
export { callCommitListeners, type CommitListener } from './commit-listeners';
