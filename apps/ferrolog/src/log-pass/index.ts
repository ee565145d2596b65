/** What the commands share that walk a whole log: where it is, and the line that says how far they are. */
export * from './place';
export * from './progress-line';
