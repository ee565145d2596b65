/** What one stream of the log leads to in the tables beside it: the one derivation that `verify` and `rebuild` share. */
export * from './command-runs';
export * from './document-owners';
export * from './row-set';
export * from './stream-derivation';
