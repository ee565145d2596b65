/** Rules of the simulated inspector: its states, its cache rows, its hooks and rules, its scripted ramdisks. */
export * from './addresses';
export * from './hooks';
export * from './introspection';
export * from './json';
export * from './lookup';
export * from './ramdisk';
export * from './refusal';
export * from './rules';
export * from './states';
