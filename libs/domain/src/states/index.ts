/** The provision state machine as one table, with the words and sets that belong to it. */
export * from './names';
export * from './transitions';
export * from './sets';
export * from './verbs';
export * from './timeouts';
export * from './power';
export * from './vocabulary';
