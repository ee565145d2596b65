/** Inspection rules: what they may say, and what they make of a machine's data (contract: inspection.md §12, other-resources.md §6). */
export * from './built-in';
export * from './carry-out';
export * from './check';
export * from './types';
