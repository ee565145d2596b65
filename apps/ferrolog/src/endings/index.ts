/** How the inspection of a scripted node is to end, and whether it did. */
export * from './check';
export * from './expectation';
